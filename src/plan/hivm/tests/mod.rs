//! What a user may rely on, with the hand computation of each plan.

mod bounds;
mod case;
mod catalogue;
mod decision;
mod facts;
mod lives;
mod overflow;
mod promotion;
mod properties;
mod rollback;
mod traces;
