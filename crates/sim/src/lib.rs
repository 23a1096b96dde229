//! What happens.
