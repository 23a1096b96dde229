//! retrylab.
