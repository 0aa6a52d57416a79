//! What the check of owed edges promises.
