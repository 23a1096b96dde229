//! The lesson on the geometric series behind a retry policy.
//!
//! Its failure probability is handed in from outside, so most of its numbers are measured without a queue, on requests
//! whose calls fail by the toss of a coin; where a service is part of the claim, the queueing simulator serves
//! attempts and answers them with errors.

mod bad_day;
pub(crate) mod experiments;
mod load;
mod series;
mod tiers;

use crate::claim::Claim;

pub(super) fn claims() -> Vec<Claim> {
    let mut claims = series::claims();
    claims.extend(load::claims());
    claims.extend(bad_day::claims());
    claims.extend(tiers::claims());
    claims.sort_by_key(|claim| claim.id);
    claims
}
