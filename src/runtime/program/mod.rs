//! The sequential executor. (being built)
