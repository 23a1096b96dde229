//! A service of eight servers whose failed attempts spawn further ones.

mod cliff;
mod deadline;
mod demand;
mod hysteresis;
pub(crate) mod queue;
pub(crate) mod reading;
mod remedies;
mod repeatable;

use crate::claim::Claim;

pub(super) fn claims() -> Vec<Claim> {
    vec![
        queue::claim(),
        deadline::claim(),
        demand::claim(),
        cliff::claim(),
        hysteresis::claim(),
        remedies::budget(),
        repeatable::claim(),
        remedies::shedding(),
    ]
}
