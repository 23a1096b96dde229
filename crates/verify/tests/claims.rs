//! The claims themselves: that all are there, that each can fail, and that their experiments can be repeated.

use std::collections::HashSet;

use retrylab_verify::statistics::Margin;
use retrylab_verify::{Claim, Criterion, Document, Estimator, claims, figures};

