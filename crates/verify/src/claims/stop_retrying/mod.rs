//! A token pool for each instance of an API, refilled by successes.
//!
//! Times are in seconds. Unless a claim says otherwise: four instances with a pool of 25 tokens each, one of which comes
//! back a second as long as anything succeeds, Poisson traffic, and a service that has room for all.

pub(crate) mod api;
pub(crate) mod breaker;
mod emptying;
pub(crate) mod incident;
mod instances;
mod layers;
pub(crate) mod normal;
pub(crate) mod tuning;

use crate::claim::Claim;

pub(super) fn claims() -> Vec<Claim> {
    let mut claims = emptying::claims();
    claims.extend(incident::claims());
    claims.extend(normal::claims());
    claims.extend(instances::claims());
    claims.extend(breaker::claims());
    claims.extend(layers::claims());
    claims.extend(tuning::claims());
    claims.sort_by_key(|claim| claim.id);
    claims
}
