//! What brings a dead service back: H06 and H08.

use retrylab_model::Scenario;
use retrylab_sim::Measure;

use super::reading::{
    ARRIVAL_RATE, CAPACITY, READING, RELEASE, WAITING_MAX, brought_back, budgeted, changed, dead, ending,
    offering, then_offering,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::outcome::ComputedNumber;
use crate::quote::Quote;
use crate::statistics::Margin;
use crate::theory::theory;
use crate::verdict::Verdict;

/// Budgeted retries per request.
const RATIO: f64 = 0.1;
const BACK: &str = "a remedy brings most runs back";

fn until_nobody_waits(scenario: Scenario) -> Experiment {
    Experiment::passage(
        scenario,
        "seconds until nobody waits for the first time",
        RELEASE,
        |simulation| simulation.in_queue() == 0,
    )
}

/// The time in which a full queue drains when requests bring so many retries each.
fn drained(ratio: f64) -> ComputedNumber {
    theory(
        "stuck-growth",
        &[
            ("arrival_rate", ARRIVAL_RATE),
            ("attempts", 1.0),
            ("capacity", CAPACITY),
        ],
        "growth_rate",
    )
    .then(
        |growth| WAITING_MAX / -(growth + ratio * ARRIVAL_RATE),
        "1,520 waiting attempts over the capacity less requests and budgeted retries",
    )
}

pub(super) fn budget() -> Claim {
    Claim::new(
        "H06",
        Document::HelpingClients,
        "From collapsed at 2.5 retries per failure, a budget of a tenth of the traffic empties the queue in about two seconds.",
    )
    .open_parameter(READING)
    .open_parameter(
        "What a tenth is a tenth of: of new requests. The budget is one for all clients, empty when it comes into force, and \
         holds at most ten tokens.",
    )
    .open_parameter(
        "The queue limit. The service is dead when its queue is longer than clients wait, which takes more than about 1,400 \
         waiting attempts, and 1,400 drain at 450 a second in 3.1 seconds, so no limit under this load gives two seconds. Two \
         seconds after the budget came into force nine requests in ten succeed again; that may be what the text saw.",
    )
    .remark(
        "Requests and budgeted retries are 11,550 a second, so the queue shrinks by 450 a second. It does not shrink faster once \
         answers come in time: one service in twenty is late by itself, and at 2.5 retries per failure these alone ask for \
         more than the budget gives.",
    )
    .part(
        Part::new("seconds until nobody waits")
            .quoted(Quote::range(
                "about two",
                1.5,
                2.5,
                "what rounds to the printed number of seconds",
            ))
            .computed(drained(RATIO))
            .equivalent(until_nobody_waits(budgeted()),
                Margin::Relative(0.15),
                "tells a drain at 450 a second from one at 400 and from one at 530",
            )
            .recorded(Verdict::NotReproduced),
    )
    .part(
        Part::new("share of runs dead six seconds after the budget came into force").at_most(
            dead(ending(&budgeted(), RELEASE + 6.0)),
            0.5,
            BACK,
        ),
    )
}

pub(super) fn shedding() -> Claim {
    let short_queue = changed(&brought_back(1.0), |spec| spec.server.places = Some(960));
    Claim::new(
        "H08",
        Document::HelpingClients,
        "Turning off what killed the service does not bring it back; shedding load does.",
    )
    .open_parameter(READING)
    .remark(
        "True of retries that are turned down to where they were. False of retries that are turned off: without any, a dead \
         service drains as soon as new requests are fewer than it completes, and fast.",
    )
    .remark(
        "Load that is shed has to be attempts, not requests. From one retry per failure upwards each attempt that is late \
         replaces itself, and the service stays dead when nobody asks anything of it any more.",
    )
    .beyond(
        "A queue that is shorter than the clients' patience sheds attempts by itself: with 960 places the service is back at \
         once when retries are.",
    )
    .part(
        Part::new("share of runs dead four seconds after R is back at 1")
            .at_least(dead(brought_back(1.0)), 0.5, "what is not enough leaves most runs dead"),
    )
    .part(
        Part::new("seconds until nobody waits, R = 0")
            .computed(drained(0.0))
            .equivalent(
                until_nobody_waits(brought_back(0.0)),
                Margin::Relative(0.1),
                "tells a drain at 1,500 a second from one at 1,350 and from one at 1,700",
            ),
    )
    .part(
        Part::new("share of runs dead, R = 0, but 12,500 requests a second").at_least(
            dead(offering(&brought_back(0.0), 12_500.0)),
            0.5,
            "above capacity nothing drains",
        ),
    )
    .part(
        Part::new("share of runs whose queue is full four seconds after new requests fell to one a second, R = 1.6").at_least(
            Experiment::share_of_runs(
                then_offering(&ending(&brought_back(1.6), RELEASE + 5.0), RELEASE + 1.0, 1.0),
                "share of runs in which more than half of the queue's places are taken at the end",
                |run| {
                    let (waiting, seconds) = run.measure(Measure::NumberInQueue);
                    waiting > 0.5 * WAITING_MAX * seconds
                },
            ),
            0.5,
            "what does not help leaves most runs dead",
        ),
    )
    .part(
        Part::new("share of runs dead four seconds after R is back at 1, 960 places").at_most(
            dead(short_queue),
            0.5,
            BACK,
        ),
    )
}
