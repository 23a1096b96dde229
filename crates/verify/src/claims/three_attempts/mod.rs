//! The simulation study of one server whose clients make up to k attempts.
//!
//! Times are in mean service times. Unless a claim says otherwise: Poisson traffic, exponential service, three
//! attempts, 1 % of served attempts answered with an error, a stall of 2,000 at time 2,000, and success measured over
//! the last 2,500 of 62,000.

mod backoff;
mod bounded;
mod budgets;
mod healthy;
mod lifo;
pub(crate) mod protocol;
mod shedding;
mod skipping;
mod stuck;
mod stuck_line;

use crate::claim::Claim;

pub(super) fn claims() -> Vec<Claim> {
    let mut claims = healthy::claims();
    claims.extend(stuck::claims());
    claims.extend(stuck_line::claims());
    claims.extend(backoff::claims());
    claims.extend(budgets::claims());
    claims.extend(lifo::claims());
    claims.extend(bounded::claims());
    claims.extend(skipping::claims());
    claims.extend(shedding::claims());
    claims.sort_by_key(|claim| claim.id);
    claims
}
