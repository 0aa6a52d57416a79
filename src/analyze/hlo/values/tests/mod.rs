//! Parts of the analysis of values on their own.

mod components;
mod phis;
