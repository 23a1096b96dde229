//! The Markdown view.

use retrylab_verify::{ClaimOutcome, Outcome, report};

use crate::sample;

fn only(id: &str) -> Outcome {
    let outcome = sample::outcome();
    let claims: Vec<ClaimOutcome> = outcome
        .claims
        .into_iter()
        .filter(|claim| claim.id == id)
        .collect();
    Outcome { claims, ..outcome }
}

#[test]
fn a_claim_reads_like_this() {
    let text = report::markdown(&only("T20"), &[]);
    let start = text.find("<a id=\"T20\">").unwrap();
    let end = text.find("```toml").unwrap();
    let expected = r#"<a id="T20"></a>

### T20: not reproduced

Serving the newest attempt first, three attempts give a success rate of 0.95 at load 0.9 with a timeout of 10.

| Number | Quoted | Computed | Measured (99.9993 % interval) | Verdict |
| --- | --- | --- | --- | --- |
| success at load 0.9, timeout 10 | 0.95 |  | 0.93784 ± 0.00087 | ≠ not reproduced |

The text does not say whether a newer attempt interrupts the one in service. We let the one in service finish; with interruption the success rate is 0.941.

Forty runs of 2,500 service times have a standard error of 0.0011, which explains a tenth of the difference.

<details><summary>Evidence</summary>

- **Criterion:** The measured interval lies within 0.5 % of the computed value; 0.5 % is a third of the effect of one attempt more.
- **Quoted:** 0.95 means 0.9428 to 0.9572: what rounds to the printed number, and the sampling error of 40 runs
- **Method:** mean over independent replications; interval from Student's t, all looks together
- **Effort:** 400 replications, 3 looks at the data, 25,734,118 attempts
- **Confidence:** 99.9993 %
- **Seed:** 8127406251938110471
- **Simulate:** `retrylab simulate scenario.toml --seed 8127406251938110471 --replications 400`

"#;
    assert_eq!(&text[start..end], expected);
}

#[test]
fn every_claim_and_figure_is_there() {
    let text = report::markdown(&sample::outcome(), &sample::figures());
    for claim in &sample::outcome().claims {
        assert!(
            text.contains(&format!("| [{id}](#{id}) | ", id = claim.id)),
            "{}",
            claim.id
        );
        assert!(
            text.contains(&format!("### {}: {}", claim.id, claim.verdict())),
            "{}",
            claim.id
        );
    }
    let files = report::files(&sample::outcome(), &sample::figures());
    for figure in sample::figures() {
        let path = format!("figures/{}.svg", figure.id);
        assert!(text.contains(&format!("]({path})")), "{path}");
        assert!(
            files
                .iter()
                .any(|file| file.path == path && file.contents == report::svg_standalone(&figure))
        );
    }
    assert!(text.contains(
        "9 claims: 6 agree, 1 inconclusive, 1 not reproduced, 1 does not agree. \
                           2 claims are not as recorded: T18, T29."
    ));
}

#[test]
fn tables_keep_their_columns_and_text_stays_text() {
    let mut outcome = only("T02");
    let part = &mut outcome.claims[0].parts[0];
    part.label = "a | b\n<script> & `code` *x* [y](z)".to_owned();
    part.computed.as_mut().unwrap().formula = "a `b` c".to_owned();
    part.measured.as_mut().unwrap().scenario = "[traffic]\n```\n# not a heading".to_owned();
    let text = report::markdown(&outcome, &[]);
    let label = r"| a \| b &lt;script&gt; &amp; \`code\` \*x\* \[y\](z) | 0.863 ± 0.002 |";
    assert!(text.contains(label), "{text}");
    assert!(text.contains("``a `b` c``"));
    assert!(text.contains("````toml\n[traffic]\n```\n# not a heading\n````"));
    assert!(!text.contains("<script"));
}
