//! Retries that were avoided in a quarter of an hour: A03.

use retrylab_analytic::token_pool::TokenPool;
use retrylab_model::{Budget, Change, Scenario};
use retrylab_sim::RunRecord;

use super::api::{INSTANCES, REFILL_RATE, SIZE, api, measured, standard_pool};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;

pub(super) fn claims() -> Vec<Claim> {
    vec![avoided()]
}

/// Length of the incident, in seconds.
pub(crate) const LENGTH: f64 = 900.0;
/// When it begins: long enough for a few answers.
pub(crate) const BEGIN: f64 = 60.0;
/// Share of attempts that fail before it.
const USUAL_FAILURE: f64 = 0.01;
/// What "more than 23,000" leaves room for: with 24,000 one would have said so.
pub(crate) const AVOIDED: [f64; 2] = [23_000.0, 24_000.0];
/// What "nearly 60 %" leaves room for.
pub(crate) const SHARE: [f64; 2] = [0.55, 0.6];
/// The pair for which the parts are run: the avoided retries, and their share of the requests.
pub(crate) const CHOSEN: (f64, f64) = (23_400.0, 0.585);

/// What the retries that are not made are counted as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// Those that clients without a pool would have made.
    Wanted,
    /// Those that a pool was asked for and refused: one of a request at most, since it is given up with it.
    Refused,
}

/// Requests a second at which so many avoided retries are such a share.
pub(crate) fn rate_of((avoided, share): (f64, f64)) -> f64 {
    avoided / LENGTH / share
}

/// The failure rate at which both figures hold, for every avoided retry counted.
pub(crate) fn failure_rate_of(figures: (f64, f64), retries: u32) -> Option<f64> {
    failure_rate(figures, retries, Counted::Wanted)
}

/// The failure rate at which both figures hold; none where every failure is too few.
fn failure_rate(figures: (f64, f64), retries: u32, counted: Counted) -> Option<f64> {
    let rate = rate_of(figures);
    let avoided = |failure_probability| match counted {
        Counted::Wanted => wanted_less_paid(rate, failure_probability, retries),
        Counted::Refused => refused_after(rate, failure_probability, retries),
    };
    (avoided(1.0) >= figures.0).then(|| inverse(avoided, figures.0))
}

/// Retries wanted in the incident less those that the pools pay for, as long as anything succeeds.
fn wanted_less_paid(rate: f64, failure_probability: f64, retries: u32) -> f64 {
    let paid = f64::from(INSTANCES) * (SIZE + REFILL_RATE * LENGTH);
    rate * power_sum(failure_probability, retries) * LENGTH - paid
}

/// Retries refused in the incident, as a fluid in two phases.
///
/// Until the pools are empty none is. After that tokens come back one at a time. Each is taken by the first retry of some
/// request, and if that fails, an answer later, the pool is empty still: all second retries are refused. So of λp first and
/// n·g·p second retries that are asked for a second, n·g are made.
fn refused_after(rate: f64, failure_probability: f64, retries: u32) -> f64 {
    let instances = f64::from(INSTANCES);
    let earned = instances * REFILL_RATE;
    let draining = rate * power_sum(failure_probability, retries) - earned;
    if draining <= 0.0 {
        return 0.0;
    }
    let empty_from = instances * SIZE / draining;
    let second = if retries > 1 {
        earned * failure_probability
    } else {
        0.0
    };
    (rate * failure_probability + second - earned) * (LENGTH - empty_from).max(0.0)
}

/// The failure rate of the chosen figures, with all avoided retries counted.
pub(crate) fn chosen_failure_rate(retries: u32) -> f64 {
    failure_rate(CHOSEN, retries, Counted::Wanted).expect("the chosen figures can be reached")
}

/// x + … + xʳ.
fn power_sum(x: f64, terms: u32) -> f64 {
    (0..terms).fold(0.0, |sum, _| x * (1.0 + sum))
}

/// The probability at which an increasing function is y.
fn inverse(function: impl Fn(f64) -> f64, y: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if function(middle) < y {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The incident of the chosen figures, its first seconds measured, for clients with a budget.
pub(crate) fn incident(failure_probability: f64, retries: u32, budget: Budget, seconds: f64) -> Scenario {
    let mut spec = api(rate_of(CHOSEN), INSTANCES, USUAL_FAILURE, retries, budget);
    spec.schedule = vec![Change {
        error_probability: Some(failure_probability),
        duration: Some(LENGTH.into()),
        ..Change::at(BEGIN)
    }];
    measured(spec, "the incident", BEGIN, seconds)
}

/// Retries that clients with a pool do not make, of those that clients without one make of the same requests.
pub(crate) fn avoided_by(failure_probability: f64, retries: u32, seconds: f64) -> Experiment {
    let budgets = [standard_pool(), Budget::None];
    Experiment::side_by_side(
        budgets
            .map(|budget| incident(failure_probability, retries, budget, seconds))
            .to_vec(),
        "retries without a pool less those with one",
        |runs| retries_of(&runs[1]) - retries_of(&runs[0]),
    )
}

/// The same per new request.
fn avoided_share(failure_probability: f64, retries: u32) -> Experiment {
    let budgets = [standard_pool(), Budget::None];
    Experiment::side_by_side(
        budgets
            .map(|budget| incident(failure_probability, retries, budget, LENGTH))
            .to_vec(),
        "retries without a pool less those with one, per new request",
        |runs| (retries_of(&runs[1]) - retries_of(&runs[0])) / runs[0].counts.requests as f64,
    )
}

fn retries_of(run: &RunRecord) -> f64 {
    run.counts.retries as f64
}

/// Retries that the pools of all instances avoid in the incident, as a fluid.
fn avoided_in_theory(failure_probability: f64, retries: u32) -> ComputedNumber {
    theory(
        "token-pool",
        &[
            ("arrival_rate", rate_of(CHOSEN) / f64::from(INSTANCES)),
            ("failure_probability", failure_probability),
            ("retries", f64::from(retries)),
            ("size", SIZE),
            ("refill_rate", REFILL_RATE),
            ("duration", LENGTH),
        ],
        "retries_avoided",
    )
    .then(|x| f64::from(INSTANCES) * x, "4 pools · x")
}

/// The fluid's avoided retries some seconds into the incident.
pub(crate) fn avoided_after(failure_probability: f64, retries: u32, seconds: f64) -> f64 {
    let share = rate_of(CHOSEN) / f64::from(INSTANCES);
    TokenPool::new(
        share,
        failure_probability,
        u64::from(retries),
        SIZE as u64,
        REFILL_RATE,
    )
    .and_then(|pool| pool.retries_avoided(seconds))
    .map_or(0.0, |avoided| f64::from(INSTANCES) * avoided)
}

fn more_than_23_000() -> Quote {
    Quote::range(
        "more than 23,000",
        AVOIDED[0],
        AVOIDED[1],
        "above 23,000 and below 24,000, which would have been said",
    )
}

fn nearly_60_percent() -> Quote {
    Quote::range(
        "nearly 60 %",
        SHARE[0],
        SHARE[1],
        "at most 60 %, and nearer to it than to 50 %",
    )
}

/// Lowest and highest failure rate, in per cent, over what the two figures leave room for.
fn range_of(retries: u32, counted: Counted) -> String {
    let corners = AVOIDED
        .into_iter()
        .flat_map(|avoided| SHARE.map(|share| (avoided, share)));
    let rates = corners.filter_map(|figures| failure_rate(figures, retries, counted));
    let (low, high) = rates.fold((1.0_f64, 0.0_f64), |(low, high), rate| {
        (low.min(rate), high.max(rate))
    });
    format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high)
}

fn avoided() -> Claim {
    let listed = |counted| {
        [1, 2, 3, 5, 10]
            .map(|retries| format!("{} with r = {retries}", range_of(retries, counted)))
            .join(", ")
    };
    let (lowest, highest) = (rate_of((AVOIDED[0], SHARE[1])), rate_of((AVOIDED[1], SHARE[0])));
    let margin = |part: Part, experiment| {
        part.equivalent(
            experiment,
            Margin::Relative(0.02),
            "half of what the words leave room for above 23,000",
        )
    };
    let wanted_rate = chosen_failure_rate(2);
    let refused_rate = failure_rate(CHOSEN, 2, Counted::Refused).expect("the chosen figures can be reached");
    let refused = incident(refused_rate, 2, standard_pool(), LENGTH);
    Claim::new(
        "A03",
        Document::StopRetrying,
        "In an incident of 15 minutes the pools avoided more than 23,000 retries, nearly 60 % of the request rate when it \
         began.",
    )
    .remark(format!(
        "Both figures hold together for a request rate of {lowest:.1} to {highest:.1} a second, the lower end of the 40 to \
         100 that the post gives, and the failure rates below. The runs take {:.1} thousand retries and {:.1} %, {:.1} requests a second.",
        CHOSEN.0 / 1_000.0,
        100.0 * CHOSEN.1,
        rate_of(CHOSEN),
    ))
    .open_parameter(format!(
        "Failure rate of attempts, if what was avoided is every retry that clients without a pool would have made: {}.",
        listed(Counted::Wanted)
    ))
    .open_parameter(format!(
        "Failure rate of attempts, if what was avoided is what a log shows, one refusal of a request at most: {}. A token that \
         comes back goes to a first retry, and if that fails, a second finds the pool empty, so more than two retries make no \
         difference.",
        listed(Counted::Refused)
    ))
    .open_parameter(
        "The incident itself: attempts fail by chance, independently of each other and of the load, from one moment to \
         another. If retries had made failures more likely, more would have been avoided.",
    )
    .parts([1, 2, 3].map(|retries| {
        let rate = chosen_failure_rate(retries);
        margin(
            Part::new(format!("retries avoided, r = {retries}, {:.1} % of attempts fail", 100.0 * rate))
                .quoted(more_than_23_000())
                .computed(avoided_in_theory(rate, retries)),
            avoided_by(rate, retries, LENGTH),
        )
    }))
    .part(margin(
        Part::new(format!("retries avoided per request, r = 2, {:.1} % of attempts fail", 100.0 * wanted_rate))
            .quoted(nearly_60_percent())
            .computed(avoided_in_theory(wanted_rate, 2).then(|x| x / (rate_of(CHOSEN) * LENGTH), "x/(900 λ)")),
        avoided_share(wanted_rate, 2),
    ))
    .part(margin(
        Part::new(format!("retries refused, r = 2, {:.1} % of attempts fail", 100.0 * refused_rate))
            .quoted(more_than_23_000())
            .computed(ComputedNumber::arithmetic(
                refused_after(rate_of(CHOSEN), refused_rate, 2),
                "(λ p + n g p − n g)(900 s − t): first and second retries asked for less those made, once the pools are empty \
                 after t = n N/(λ(p + … + p^r) − n g)",
            )),
        Experiment::side_by_side(vec![refused], "retries refused", |runs| {
            runs[0].counts.budget_denied as f64
        }),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failure_rates_give_both_figures() {
        for retries in [1, 2, 3, 7] {
            let rate = chosen_failure_rate(retries);
            let avoided = avoided_after(rate, retries, LENGTH);
            assert!((avoided / CHOSEN.0 - 1.0).abs() < 1e-9, "{retries} {avoided}");
            let refused = failure_rate(CHOSEN, retries, Counted::Refused).unwrap();
            let avoided = refused_after(rate_of(CHOSEN), refused, retries);
            assert!((avoided / CHOSEN.0 - 1.0).abs() < 1e-9, "{retries} {avoided}");
        }
        assert!((avoided_in_theory(chosen_failure_rate(2), 2).value - CHOSEN.0).abs() < 1e-6);
    }

    #[test]
    fn both_countings_are_one_where_there_is_one_retry() {
        for figures in [(23_000.0, 0.55), (24_000.0, 0.6)] {
            let [wanted, refused] =
                [Counted::Wanted, Counted::Refused].map(|counted| failure_rate(figures, 1, counted).unwrap());
            assert!((wanted - refused).abs() < 1e-9);
        }
    }

    #[test]
    fn what_cannot_be_reached_has_no_failure_rate() {
        assert_eq!(failure_rate((60_000.0, 1.1), 1, Counted::Wanted), None);
    }
}
