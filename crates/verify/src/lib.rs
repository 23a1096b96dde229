//! Whether they agree.
