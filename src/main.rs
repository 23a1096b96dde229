//! The `retrylab` program.

fn main() {}
