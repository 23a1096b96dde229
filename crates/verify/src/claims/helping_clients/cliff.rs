//! The edge beyond which retries take the service away: H04.

use retrylab_model::ServiceTime;
use retrylab_sim::Measure;

use super::reading::{
    READING, SERVICE_RATE, SLOTS, TIMEOUT, changed, dead, ending, enlarged, fold, retrying, seconds, spread,
};
use crate::claim::{Claim, Part};
use crate::document::Document;
use crate::experiment::Experiment;
use crate::level::Level;
use crate::quote::{Quote, Runs};
use crate::theory::theory;
use crate::verdict::Verdict;

/// Requests per second at which the fold itself is where the text has the edge.
const NEARER: f64 = 10_747.0;
/// Seconds after which runs of the service as it is are looked at.
const LONG: f64 = 20.0;
const MOST: &str = "most runs are dead";
const FEW: &str = "most runs are alive";

pub(super) fn claim() -> Claim {
    let edge = |factor| fold(factor, "retries_per_failure_max");
    Claim::new(
        "H04",
        Document::HelpingClients,
        "There is a cliff: at 1.6 retries per failure the service does 11,000 a second, at 1.7 under 1,000, for every seed.",
    )
    .open_parameter(READING)
    .open_parameter(
        "Another reading of the servers: each with a queue of its own. The queues are uneven then, and at 1.6 retries per \
         failure the service is dead. Another of the service: always 40 ms. Then nothing is late below capacity, and at any \
         number of retries there is nothing to retry. Neither has the cliff where the text has it.",
    )
    .open_parameter(format!(
        "The offered load. At {NEARER} requests a second the fold is at {:.2} retries per failure, between the text's two numbers, \
         but chance would take the service away well before that. At 10,500 it is chance that puts the edge near where the text \
         has it, and the service does 11,000 useful answers a second on the near side.",
        theory(
            "fold",
            &[
                ("arrival_rate", NEARER),
                ("servers", SLOTS),
                ("service_rate", SERVICE_RATE),
                ("timeout", TIMEOUT),
            ],
            "retries_per_failure_max",
        )
        .value
    ))
    .remark(
        "11,000 a second out of 10,500 requests counts good answers in time, of which a request may get several.",
    )
    .remark(
        "The edge of the fold is where no balance exists any more. Before that the healthy balance is stable against small \
         fluctuations only, and the service is lost when chance carries it over the brink: with 480 slots in seconds to \
         minutes. So where the edge lies depends on how long one looks, and no number of retries is safe for one seed and \
         deadly for all: at 1.7 only some runs are lost within 20 seconds.",
    )
    .remark(
        "Two things put the simulated edge below the fold: fluctuations, which are relatively smaller the larger the service, and \
         retries that come back 120 ms after the crowd that made them and meet it again. Spread over seconds, as many \
         retries do no harm at 480 slots.",
    )
    .beyond(format!(
        "The edge that theory predicts beside the simulated one, where half of the runs are lost within 20 seconds, at the same \
         utilisation: {}. Ten times the size brings the two about three times as near to each other, as fluctuations do, which \
         grow with the square root of the size.",
        SIMULATED_EDGES.each_ref().map(SimulatedEdge::words).join("; ")
    ))
    .part(
        Part::new("retries per failure at the fold, 480 slots")
            .quoted(Quote::range(
                "between 1.6 and 1.7",
                1.6,
                1.7,
                "the service holds at the one and is gone at the other",
            ))
            .computed(edge(1))
            .recorded(Verdict::NotReproduced),
    )
    .part(
        Part::new("useful answers a second, R = 1.6")
            .quoted(Quote::range(
                "about 11,000",
                10_500.0,
                11_500.0,
                "what rounds to the printed number of thousands",
            ))
            .measured(Experiment::measure(retrying(1.6), Measure::UsefulAnswers)),
    )
    .part(
        Part::new("share of runs below 1,000 useful answers a second at the end of 20 s, R = 1.7")
            .quoted(Quote::runs("every seed", Runs::NearlyAll))
            .measured(below_a_thousand(1.7, LONG))
            .recorded(Verdict::NotReproduced),
    )
    .part(
        Part::new("share of runs below 1,000 useful answers a second at the end of 6 s, R = 2.3, above the fold")
            .at_least(below_a_thousand(2.3, 6.0), 0.5, MOST),
    )
    .parts(distances(edge(1).value, edge(10).value))
    .parts(SIMULATED_EDGES.iter().flat_map(SimulatedEdge::parts))
    .parts(other_readings())
}

fn below_a_thousand(retries: f64, until: f64) -> Experiment {
    Experiment::share_of_runs(
        ending(&retrying(retries), until),
        "share of runs with fewer than 1,000 useful answers a second at the end",
        |run| {
            let (answers, seconds) = run.measure(Measure::UsefulAnswers);
            answers < 1_000.0 * seconds
        },
    )
}

/// At the same distance below its own fold, a small service is lost in time and a larger one is not.
fn distances(small: f64, medium: f64) -> Vec<Part> {
    let at = |factor, retries, until| ending(&enlarged(&retrying(retries), factor), until);
    vec![
        Part::new("share of runs dead after 25 s, 480 slots, R = 0.1 below the fold").at_least(
            dead(at(1, small - 0.1, 25.0)),
            0.5,
            MOST,
        ),
        Part::new("share of runs dead after 3 s, 480 slots, R = 0.1 below the fold").at_most(
            dead(at(1, small - 0.1, 3.0)),
            0.5,
            FEW,
        ),
        Part::new("share of runs dead after 25 s, 480 slots, R = 0.1 below the fold, retries spread over 4 s and more").at_most(
            dead(spread(&at(1, small - 0.1, 25.0), 4.0)),
            0.5,
            FEW,
        ),
        Part::new("share of runs dead after 4 s, 4,800 slots, R = 0.1 below the fold").at_most(
            dead(at(10, medium - 0.1, 4.0)),
            0.5,
            FEW,
        ),
    ]
}

/// Where half of the runs of a service are lost within [`LONG`]: more retries per failure than the first, fewer than the
/// second.
struct SimulatedEdge {
    /// Size of the service as a multiple of the text's.
    factor: u32,
    above: f64,
    below: f64,
    /// The level at which it is looked for.
    from: Level,
}

const SIMULATED_EDGES: [SimulatedEdge; 3] = [
    SimulatedEdge {
        factor: 1,
        above: 1.7,
        below: 1.9,
        from: Level::Quick,
    },
    SimulatedEdge {
        factor: 10,
        above: 2.2,
        below: 2.34,
        from: Level::Standard,
    },
    SimulatedEdge {
        factor: 100,
        above: 2.4,
        below: 2.46,
        from: Level::Thorough,
    },
];

impl SimulatedEdge {
    /// Slots in words.
    fn slots(&self) -> &'static str {
        match self.factor {
            1 => "480",
            10 => "4,800",
            _ => "48,000",
        }
    }

    /// Beside the edge that theory predicts.
    fn words(&self) -> String {
        let Self { above, below, .. } = self;
        let middle = f64::midpoint(*above, *below);
        let fold = fold(self.factor, "retries_per_failure_max").value;
        format!(
            "for {} slots the fold is at {fold:.3} and the simulated edge between {above} and {below}, some {:.2} below",
            self.slots(),
            fold - middle
        )
    }

    fn parts(&self) -> [Part; 2] {
        let at = |retries| dead(ending(&enlarged(&retrying(retries), self.factor), LONG));
        let label = |retries| {
            format!(
                "share of runs dead after 20 s, {} slots, R = {retries}",
                self.slots()
            )
        };
        [
            Part::new(label(self.above))
                .at_most(at(self.above), 0.5, FEW)
                .from_level(self.from),
            Part::new(label(self.below))
                .at_least(at(self.below), 0.5, MOST)
                .from_level(self.from),
        ]
    }
}

fn other_readings() -> Vec<Part> {
    let own_queues = changed(&ending(&retrying(1.6), 10.0), |spec| {
        spec.server.queues = retrylab_model::Queues::Random;
        spec.server.places = spec.server.places.map(|places| places / spec.service.servers);
    });
    let constant = changed(&ending(&retrying(3.0), 10.0), |spec| {
        spec.service.time = ServiceTime::Deterministic {
            value: seconds(1.0 / SERVICE_RATE),
        };
    });
    vec![
        Part::new("share of runs dead after 10 s, R = 1.6, a queue for each server").at_least(
            dead(own_queues),
            0.5,
            MOST,
        ),
        Part::new("share of runs dead after 10 s, R = 3, service always 40 ms").at_most(
            dead(constant),
            0.5,
            FEW,
        ),
    ]
}
