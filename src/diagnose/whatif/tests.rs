//! Properties of what-if questions.
