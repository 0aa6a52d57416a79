//! quirks
