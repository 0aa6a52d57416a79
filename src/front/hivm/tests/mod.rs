//! What the reader of HIVM text promises.
