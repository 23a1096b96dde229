//! A realistic outcome and figures.

use retrylab_verify::{
    Axis, ClaimOutcome, ComputedNumber, Document, Illustration, Mark, MeasuredNumber, Outcome, Panel,
    PartOutcome, Point, QuotedNumber, Series, SeriesKind, Verdict,
};

const SCENARIO: &str = r#"name = "load 0.9, timeout 10"
source = "three-attempts"

[traffic]
rate = 0.9

[service]
time = { exponential = { mean = 1.0 } }
error_probability = 0.01

[server]
discipline = "lifo"

[client]
timeout = 10.0
attempts = 3

[[schedule]]
at = 2000.0
stall = 2000.0

[run]
until = 64000.0
measure_from = 61500.0
"#;

pub(crate) fn part(label: &str) -> PartOutcome {
    PartOutcome {
        label: label.to_owned(),
        verdict: Verdict::Agrees,
        recorded_verdict: Verdict::Agrees,
        quoted: None,
        computed: None,
        measured: None,
        detectable_error: Some(0.001),
        criterion: "The measured interval lies within 0.5 % of the computed value; 0.5 % is a third of the effect of \
                    one attempt more."
            .to_owned(),
    }
}

pub(crate) fn quoted(text: &str, low: f64, high: f64) -> QuotedNumber {
    let range_reason = "what rounds to the printed number, and the sampling error of 40 runs".to_owned();
    QuotedNumber {
        text: text.to_owned(),
        low,
        high,
        range_reason,
    }
}

pub(crate) fn computed(value: f64, formula: &str) -> ComputedNumber {
    ComputedNumber {
        value,
        formula: formula.to_owned(),
        source: "Kleinrock, Queueing Systems I (1975), equation 3.26".to_owned(),
        command: "retrylab compute mm1 arrival_rate=0.8 service_rate=1 time=10".to_owned(),
    }
}

pub(crate) fn measured(estimate: f64, low: f64, high: f64) -> MeasuredNumber {
    MeasuredNumber {
        estimate,
        low,
        high,
        confidence: 0.999_993,
        method: "mean over independent replications; interval from Student's t, all looks together"
            .to_owned(),
        replications: 400,
        looks: 3,
        attempts: 25_734_118,
        seed: 8_127_406_251_938_110_471,
        scenario: SCENARIO.to_owned(),
    }
}

fn claim(
    id: &'static str,
    document: Document,
    statement: &'static str,
    remarks: &[&str],
    parts: Vec<PartOutcome>,
) -> ClaimOutcome {
    let remarks = remarks.iter().map(|remark| (*remark).to_owned()).collect();
    ClaimOutcome {
        id,
        document,
        statement,
        remarks,
        open_parameters: Vec::new(),
        beyond: Vec::new(),
        parts,
    }
}

/// Both documents, every verdict, claims with one number, several, and none quoted; one surprise.
pub(crate) fn outcome() -> Outcome {
    let three = |rho: f64, text: &str, low: f64, high: f64, mean: f64, width: f64| PartOutcome {
        quoted: Some(quoted(text, low, high)),
        computed: Some(computed(1.0 / (1.0 - rho), "1 / (service_rate − arrival_rate)")),
        measured: Some(measured(mean, mean - width, mean + width)),
        ..part(&format!("mean latency at load {rho}"))
    };
    let claims = vec![
        claim(
            "L02",
            Document::Lesson,
            "A request with r retries succeeds with probability 1 − p^(r+1) when every attempt fails independently \
             with probability p.",
            &[],
            vec![PartOutcome {
                computed: Some(computed(0.999, "1 − p^(r+1)")),
                measured: Some(MeasuredNumber {
                    scenario: "independent attempts that fail with probability 0.1, up to three per request"
                        .into(),
                    ..measured(0.998_994_1, 0.998_851, 0.999_122)
                }),
                ..part("success at p = 0.1, r = 2")
            }],
        ),
        claim(
            "L04",
            Document::Lesson,
            "Two retries cost 2.71 attempts per request when nine attempts in ten fail, and 2.97 when 99 in 100 do.",
            &[],
            vec![
                PartOutcome {
                    quoted: Some(quoted("2.71", 2.705, 2.715)),
                    computed: Some(computed(2.71, "(1 − p^(r+1)) / (1 − p)")),
                    measured: Some(measured(2.709_77, 2.708_9, 2.710_6)),
                    ..part("attempts at p = 0.9")
                },
                PartOutcome {
                    quoted: Some(quoted("2.97", 2.965, 2.975)),
                    computed: Some(computed(2.9701, "(1 − p^(r+1)) / (1 − p)")),
                    measured: Some(measured(2.970_04, 2.969_7, 2.970_4)),
                    ..part("attempts at p = 0.99")
                },
            ],
        ),
        claim(
            "L11",
            Document::Lesson,
            "A third retry is needed by 0.0125 % of requests on a healthy day and by 72.9 % on a bad one.",
            &[
                "The text does not say at which failure probabilities. 0.05³ = 0.000125 and 0.9³ = 0.729 fit exactly; \
               the healthy day elsewhere in the same text is p = 0.1, where the cost is 0.001.",
            ],
            vec![PartOutcome {
                quoted: Some(quoted("0.000125", 0.000_124_5, 0.000_125_5)),
                computed: Some(computed(0.000_125, "p³ at p = 0.05")),
                ..part("cost of the fourth attempt on the healthy day")
            }],
        ),
        claim(
            "T01",
            Document::ThreeAttempts,
            "Without retries and stalls the mean latency at loads 0.5, 0.8 and 0.9 is that of M/M/1: 2, 5 and 10 \
             service times; the text measured 2.02, 4.85 and 10.2.",
            &[],
            vec![
                three(0.5, "2.02", 1.93, 2.11, 2.000_4, 0.003_1),
                three(0.8, "4.85", 4.55, 5.15, 5.003, 0.017),
                three(0.9, "10.2", 8.9, 11.5, 9.98, 0.071),
            ],
        ),
        claim(
            "T02",
            Document::ThreeAttempts,
            "One server at load 0.8 answers 86.5 % of its requests within ten service times.",
            &[],
            vec![PartOutcome {
                quoted: Some(quoted("0.863 ± 0.002", 0.8605, 0.8655)),
                computed: Some(computed(
                    1.0 - (-2.0f64).exp(),
                    "1 − exp(−(service_rate − arrival_rate) · time)",
                )),
                measured: Some(measured(0.864_61, 0.863_92, 0.865_30)),
                ..part("answered within 10 at load 0.8")
            }],
        ),
        claim(
            "T05",
            Document::ThreeAttempts,
            "After a stall of 2,000 service times every run recovers at load 0.3 and none does at 0.35, with either \
             timeout.",
            &[],
            vec![
                PartOutcome {
                    quoted: Some(quoted("every run", 0.913, 1.0)),
                    measured: Some(measured(1.0, 0.9702, 1.0)),
                    ..part("runs that recover at load 0.3, timeout 10")
                },
                PartOutcome {
                    quoted: Some(quoted("none", 0.0, 0.087)),
                    measured: Some(measured(0.0, 0.0, 0.0298)),
                    ..part("runs that recover at load 0.35, timeout 10")
                },
            ],
        ),
        claim(
            "T18",
            Document::ThreeAttempts,
            "A bank of one token removes most of the damage of the ratio budget at load 0.6 but not at 0.8.",
            &["“Most” is read as more than half of the difference to no retries."],
            vec![PartOutcome {
                verdict: Verdict::Inconclusive,
                measured: Some(measured(0.498, 0.431, 0.566)),
                ..part("share of the damage that is left at load 0.6")
            }],
        ),
        claim(
            "T20",
            Document::ThreeAttempts,
            "Serving the newest attempt first, three attempts give a success rate of 0.95 at load 0.9 with a timeout \
             of 10.",
            &[
                "The text does not say whether a newer attempt interrupts the one in service. We let the one in service \
               finish; with interruption the success rate is 0.941.",
                "Forty runs of 2,500 service times have a standard error of 0.0011, which explains a tenth of the \
               difference.",
            ],
            vec![PartOutcome {
                verdict: Verdict::NotReproduced,
                recorded_verdict: Verdict::NotReproduced,
                quoted: Some(quoted("0.95", 0.9428, 0.9572)),
                measured: Some(measured(0.937_84, 0.936_97, 0.938_71)),
                ..part("success at load 0.9, timeout 10")
            }],
        ),
        claim(
            "T29",
            Document::ThreeAttempts,
            "The queue of a stuck run grows without end, by kρ − 1 attempts per service time.",
            &[],
            vec![PartOutcome {
                verdict: Verdict::DoesNotAgree,
                computed: Some(computed(0.8, "attempts · arrival_rate / service_rate − 1")),
                measured: Some(measured(0.7712, 0.7698, 0.7726)),
                ..part("growth per service time at load 0.6, three attempts")
            }],
        ),
    ];
    Outcome {
        claims,
        unfinished: Vec::new(),
        level: "standard",
        seed: 20_260_727,
        family_error: 0.001,
        attempts: 1_893_442_107,
    }
}

fn axis(label: &str, low: f64, high: f64) -> Axis {
    Axis {
        label: label.to_owned(),
        low,
        high,
        logarithmic: false,
    }
}

pub(crate) fn line(name: &str, color: usize, curve: impl Fn(f64) -> f64, low: f64, high: f64) -> Series {
    let points = (0..=200)
        .map(|step| low + (high - low) * f64::from(step) / 200.0)
        .map(|x| (x, curve(x)));
    Series {
        name: name.to_owned(),
        color,
        kind: SeriesKind::Line(points.collect()),
    }
}

pub(crate) fn points(name: &str, color: usize, points: impl IntoIterator<Item = (f64, f64, f64)>) -> Series {
    let points = points.into_iter().map(|(x, y, half)| Point {
        x,
        y,
        low: y - half,
        high: y + half,
    });
    Series {
        name: name.to_owned(),
        color,
        kind: SeriesKind::Points(points.collect()),
    }
}

/// The four figures of the issue.
pub(crate) fn figures() -> Vec<Illustration> {
    vec![amplification(), latency(), success_after_stall(), time_series()]
}

fn amplification() -> Illustration {
    let attempts = |r: i32| move |p: f64| (0..=r).map(|n| p.powi(n)).sum::<f64>();
    let success = |r: i32| move |p: f64| 1.0 - p.powi(r + 1);
    let series = |theory: &dyn Fn(i32) -> Box<dyn Fn(f64) -> f64>| {
        let mut series = Vec::new();
        for (color, r) in [1, 2, 3, 5].into_iter().enumerate() {
            let curve = theory(r);
            series.push(line(&format!("r = {r}, theory"), color, &curve, 0.0, 1.0));
            let at = [0.1, 0.3, 0.5, 0.7, 0.9].map(|p| (p, curve(p), 0.012));
            series.push(points(&format!("r = {r}, simulated"), color, at));
        }
        series
    };
    Illustration { figure: retrylab_verify::Figure { id: "amplification".to_owned(), title: "What r retries cost and what they buy".to_owned(),
        caption: "Lines: the closed forms. Points: simulated requests with 99.9993 % intervals, which are smaller than \
                  the points. The cost is highest where the benefit is gone."
            .to_owned(),
        panels: vec![
            Panel {
                title: "Attempts per request".to_owned(),
                x: axis("failure probability of one attempt, p", 0.0, 1.0),
                y: axis("attempts per request", 0.0, 6.0),
                series: series(&|r| Box::new(attempts(r))),
                marks: vec![],
            },
            Panel {
                title: "Success".to_owned(),
                x: axis("failure probability of one attempt, p", 0.0, 1.0),
                y: axis("requests that succeed", 0.0, 1.0),
                series: series(&|r| Box::new(success(r))),
                marks: vec![],
            },
        ], }, document: Document::Lesson, claims: &[] }
}

fn latency() -> Illustration {
    let loads = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95];
    Illustration {
        figure: retrylab_verify::Figure {
            id: "latency".to_owned(),
            title: "Latency of a healthy server against its load".to_owned(),
            caption: "M/M/1 without retries: theory as lines, simulation as points with intervals."
                .to_owned(),
            panels: vec![
                Panel {
                    title: "Mean latency".to_owned(),
                    x: axis("load", 0.0, 1.0),
                    y: Axis {
                        label: "mean latency [service times]".into(),
                        low: 1.0,
                        high: 100.0,
                        logarithmic: true,
                    },
                    series: vec![
                        line("theory", 0, |rho| 1.0 / (1.0 - rho), 0.0, 0.995),
                        points(
                            "simulated",
                            0,
                            loads.map(|rho| (rho, 1.0 / (1.0 - rho), 0.15 / (1.0 - rho))),
                        ),
                    ],
                    marks: vec![],
                },
                Panel {
                    title: "Tail".to_owned(),
                    x: axis("load", 0.0, 1.0),
                    y: Axis {
                        label: "P(latency > 10)".into(),
                        low: 1e-5,
                        high: 1.0,
                        logarithmic: true,
                    },
                    series: vec![
                        line("theory", 0, |rho| (-10.0 * (1.0 - rho)).exp(), 0.0, 1.0),
                        points(
                            "simulated",
                            0,
                            loads.map(|rho| {
                                let tail = (-10.0 * (1.0 - rho)).exp();
                                (rho, tail, 0.2 * tail)
                            }),
                        ),
                    ],
                    marks: vec![],
                },
            ],
        },
        document: Document::ThreeAttempts,
        claims: &[],
    }
}

fn success_after_stall() -> Illustration {
    let policies = [
        ("no retries", 0.99, 2.0),
        ("three attempts", 0.333, 0.0),
        ("ratio budget", 0.909, 0.0),
        ("refund budget", 0.98, 0.5),
        ("newest first, three attempts", 2.0, 0.0),
    ];
    let series = policies
        .into_iter()
        .enumerate()
        .map(|(color, (name, line, slope))| {
            let loads = (1..=19).map(|step| f64::from(step) * 0.05);
            points(
                name,
                color,
                loads.map(move |load| {
                    let success = if load < line {
                        0.995 - 0.02 * slope * load * load
                    } else {
                        0.0
                    };
                    (
                        load + 0.004 * color as f64,
                        (success - 0.012 * color as f64 * load).max(0.0),
                        0.01 + 0.02 * load,
                    )
                }),
            )
        });
    Illustration { figure: retrylab_verify::Figure { id: "after-the-stall".to_owned(), title: "Success after a stall of 2,000 service times".to_owned(),
        caption: "Successes per new request over the last 2,500 of 60,000 service times after the stall, timeout 50. \
                  Beyond the vertical lines the retries alone keep the server busy."
            .to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: axis("load (new requests per service time)", 0.0, 1.0),
            y: axis("successes per new request", 0.0, 1.0),
            series: series.collect(),
            marks: vec![
                Mark { x: 1.0 / 3.0, label: "1/3 (three attempts)".to_owned() },
                Mark { x: 1.0 / 1.1, label: "1/1.1 (10 % budget)".to_owned() },
                Mark { x: 0.98, label: "0.98".to_owned() },
            ],
        }], }, document: Document::ThreeAttempts, claims: &[] }
}

fn time_series() -> Illustration {
    let recovery = |delay: f64, spike: f64| {
        move |t: f64| match t {
            t if t < 2000.0 => 0.98 + 0.03 * (t / 61.0).sin(),
            t if t < 2200.0 + delay => 0.0,
            t if t < 2350.0 + delay => spike,
            t => 0.98 + 0.04 * (t / 47.0).sin(),
        }
    };
    Illustration { figure: retrylab_verify::Figure { id: "time-series".to_owned(), title: "After a stall of 200 service times at load 0.6".to_owned(),
        caption:
            "Successes per new request in windows of 150 service times, timeout 50. Spikes above 1 are the \
                  backlog being cleared."
                .to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: axis("time [mean service times]", 0.0, 10_000.0),
            y: axis("successes per new request", 0.0, 2.0),
            series: vec![
                line("no retries", 0, recovery(300.0, 1.0), 0.0, 10_000.0),
                line("three attempts", 1, recovery(1e9, 0.0), 0.0, 10_000.0),
                line(
                    "three attempts with full jitter, base 10",
                    2,
                    recovery(1e9, 0.0),
                    0.0,
                    10_000.0,
                ),
                line("ratio budget", 3, recovery(900.0, 1.4), 0.0, 10_000.0),
                line("newest first", 4, recovery(0.0, 1.75), 0.0, 10_000.0),
            ],
            marks: vec![
                Mark {
                    x: 2000.0,
                    label: "stall".to_owned(),
                },
                Mark {
                    x: 2200.0,
                    label: "stall ends".to_owned(),
                },
            ],
        }], }, document: Document::ThreeAttempts, claims: &[] }
}
