//! Lower bounds on the peak. (being built)
