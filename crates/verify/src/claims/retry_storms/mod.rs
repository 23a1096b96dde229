//! A brief loss of capacity under four retry policies, with and without dropping work whose client has left.
//!
//! Times are in seconds. Given are 800 requests a second and a capacity of 1,000 that falls to 300 for five seconds; the
//! timeout, the start of the blip, the spread of service times and what chance does are not: [`setting`] has our reading.

mod breaker;
mod budget;
mod closing;
mod code;
mod dead_work;
mod dropping;
mod retries;
pub(crate) mod setting;
mod shedding;

use crate::claim::Claim;

pub(super) fn claims() -> Vec<Claim> {
    let mut claims = dead_work::claims();
    claims.extend(retries::claims());
    claims.extend(budget::claims());
    claims.extend(dropping::claims());
    claims.extend(code::claims());
    claims.extend(shedding::claims());
    claims.extend(closing::claims());
    claims
}
