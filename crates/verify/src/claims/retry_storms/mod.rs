//! A brief loss of capacity under four retry policies, with and without dropping work whose client has left.

use crate::claim::Claim;

pub(super) fn claims() -> Vec<Claim> {
    Vec::new()
}
