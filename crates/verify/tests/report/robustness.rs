//! No data makes a report fail.

use proptest::prelude::*;
use retrylab_verify::{
    Axis, Cells, ClaimOutcome, Document, Illustration, Mark, Outcome, Panel, PartOutcome, Point, Series,
    SeriesKind, Verdict, report,
};

use crate::sample;
use crate::tags::balanced;

/// Any number, with the extreme ones often.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        -2.0..2.0f64,
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            5e-324
        ]),
    ]
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    prop::sample::select(Verdict::ALL.to_vec())
}

fn any_part() -> impl Strategy<Value = PartOutcome> {
    let numbers = prop::array::uniform7(any_number());
    (
        any::<String>(),
        any_verdict(),
        any_verdict(),
        numbers,
        any::<[bool; 3]>(),
        any::<String>(),
    )
        .prop_map(
            |(label, verdict, recorded_verdict, n, [has_quote, has_theory, has_measurement], scenario)| {
                PartOutcome {
                    label,
                    verdict,
                    recorded_verdict,
                    quoted: has_quote.then(|| sample::quoted("<0.95>", n[0], n[1])),
                    computed: has_theory.then(|| sample::computed(n[2], "a < b & c")),
                    measured: has_measurement.then(|| retrylab_verify::MeasuredNumber {
                        confidence: n[6],
                        scenario,
                        ..sample::measured(n[3], n[4], n[5])
                    }),
                    ..sample::part("")
                }
            },
        )
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    let ids = ["T<1>", "L&2", "X\"3", "T04"];
    let parts = prop::collection::vec(prop::collection::vec(any_part(), 0..3), 0..4);
    (parts, any::<u64>(), any_number(), any::<String>()).prop_map(
        move |(parts, seed, family_error, remark)| {
            let claims = parts.into_iter().zip(ids).map(|(parts, id)| ClaimOutcome {
                id,
                document: Document::Lesson,
                statement: "a | b < c",
                remarks: vec![remark.clone()],
                open_parameters: vec![remark.clone()],
                beyond: vec![remark.clone()],
                parts,
            });
            Outcome {
                claims: claims.collect(),
                unfinished: Vec::new(),
                level: "quick",
                seed,
                family_error,
                attempts: seed,
            }
        },
    )
}

fn any_axis() -> impl Strategy<Value = Axis> {
    (any::<String>(), any_number(), any_number(), any::<bool>()).prop_map(
        |(label, low, high, logarithmic)| Axis {
            label,
            low,
            high,
            logarithmic,
        },
    )
}

fn any_cells() -> impl Strategy<Value = SeriesKind> {
    let labels = || prop::collection::vec(any::<String>(), 0..4);
    let values = prop::collection::vec(prop::option::of(any_number()), 0..16);
    (labels(), labels(), values).prop_map(|(columns, rows, values)| {
        SeriesKind::Cells(Cells {
            columns,
            rows,
            values,
        })
    })
}

fn any_series() -> impl Strategy<Value = Series> {
    let curve = prop::collection::vec((any_number(), any_number()), 0..6).prop_map(SeriesKind::Line);
    let points = prop::collection::vec(prop::array::uniform4(any_number()), 0..6).prop_map(|points| {
        SeriesKind::Points(
            points
                .into_iter()
                .map(|[x, y, low, high]| Point { x, y, low, high })
                .collect(),
        )
    });
    (
        any::<String>(),
        any::<usize>(),
        prop_oneof![curve, points, any_cells()],
    )
        .prop_map(|(name, color, kind)| Series { name, color, kind })
}

fn any_figure() -> impl Strategy<Value = Illustration> {
    let series = prop::collection::vec(any_series(), 0..4);
    let mark = (any_number(), any::<String>()).prop_map(|(x, label)| Mark { x, label });
    let marks = prop::collection::vec(mark, 0..4);
    let panel =
        (any::<String>(), any_axis(), any_axis(), series, marks).prop_map(|(title, x, y, series, marks)| {
            Panel {
                title,
                x,
                y,
                series,
                marks,
            }
        });
    (prop::collection::vec(panel, 0..3), any::<String>()).prop_map(|(panels, title)| Illustration {
        figure: retrylab_verify::Figure {
            id: "any".to_owned(),
            caption: title.clone(),
            title,
            panels,
        },
        document: Document::Lesson,
        claims: &[],
    })
}

proptest! {
    #[test]
    fn any_outcome_can_be_reported(outcome in any_outcome(), figure in any_figure()) {
        let json: serde_json::Value = serde_json::from_str(&report::json(&outcome)).unwrap();
        prop_assert_eq!(json["claims"].as_array().unwrap().len(), outcome.claims.len());
        balanced(&report::html(&outcome, std::slice::from_ref(&figure)));
        prop_assert!(report::markdown(&outcome, &[figure]).starts_with("# "));
    }

    #[test]
    fn any_figure_can_be_drawn(figure in any_figure()) {
        balanced(&report::svg_standalone(&figure));
    }
}
