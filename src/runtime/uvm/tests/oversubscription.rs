//! oversubscription
