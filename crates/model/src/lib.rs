//! What retrylab studies.
