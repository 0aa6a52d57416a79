//! What a user may rely on, with the hand computation of each plan.

mod case;
mod traces;
