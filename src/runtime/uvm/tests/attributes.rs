//! attributes
