//! What no document says: rare lock-ups, by two ways and beside theory.
//!
//! Times are in mean service times.

mod growth;
mod two_ways;

use crate::claim::Claim;

pub(super) fn claims() -> Vec<Claim> {
    let mut claims = two_ways::claims();
    claims.extend(growth::claims());
    claims
}
