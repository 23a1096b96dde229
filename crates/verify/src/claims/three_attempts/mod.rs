//! The simulation study of one server whose clients make up to k attempts.
//!
//! Times are in mean service times. Unless a claim says otherwise: Poisson traffic, exponential service, three
//! attempts, 1 % of served attempts answered with an error, a stall of 2,000 at time 2,000, and success measured over
//! the last 2,500 of 62,000.

mod backoff;
mod bounded;
pub(crate) mod budget_cycle;
pub(crate) mod budgets;
pub(crate) mod deadline_check;
mod healthy;
mod lifo;
mod limits;
pub(crate) mod lock_up;
pub(crate) mod protocol;
mod shedding;
pub(crate) mod short_stall;
pub(crate) mod skipping;
mod stuck;
mod stuck_line;

use crate::claim::Claim;

pub(super) fn claims() -> Vec<Claim> {
    let mut claims = healthy::claims();
    claims.extend(stuck::claims());
    claims.extend(stuck_line::claims());
    claims.extend(backoff::claims());
    claims.extend(budgets::claims());
    claims.extend(budget_cycle::claims());
    claims.extend(lifo::claims());
    claims.extend(bounded::claims());
    claims.extend(skipping::claims());
    claims.extend(deadline_check::claims());
    claims.extend(shedding::claims());
    claims.extend(short_stall::claims());
    claims.extend(lock_up::claims());
    claims.extend(limits::claims());
    claims.sort_by_key(|claim| claim.id);
    claims
}
