//! What the documentation and the help texts show is true: commands run, scenarios are valid.

use std::path::Path;

use retrylab::model::Scenario;

use crate::program::stdout;

/// The lines of a text's fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    text.split(&format!("```{language}\n"))
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Runs command lines one after another in a directory that has the examples.
#[cfg(unix)]
fn assert_commands_run(commands: &[String]) {
    assert!(!commands.is_empty());
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("examples")).unwrap();
    std::fs::write(
        directory.path().join("examples/web-api.toml"),
        page("examples/web-api.toml"),
    )
    .unwrap();
    std::fs::write(
        directory.path().join("examples/stuck-line-sweep.toml"),
        page("examples/stuck-line-sweep.toml"),
    )
    .unwrap();
    let program = Path::new(assert_cmd::cargo::cargo_bin!("retrylab"));
    for command in commands {
        let output = std::process::Command::new("sh")
            .args(["-c", command])
            .current_dir(directory.path())
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", program.parent().unwrap().display()),
            )
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{command}\n{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_help_run() {
    let commands: Vec<String> = ["compute", "simulate", "lockup", "sweep", "scenarios", "figures"]
        .into_iter()
        .flat_map(|command| {
            let help = stdout(&[command, "--help"]);
            let lines: Vec<String> = help
                .lines()
                .filter(|line| line.starts_with("  retrylab "))
                .map(|line| line.trim().to_owned())
                .collect();
            lines
        })
        .collect();
    assert_commands_run(&commands);
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_page_on_scenarios_run() {
    let commands: Vec<String> = blocks(&page("docs/scenario.md"), "sh")
        .iter()
        .flat_map(|block| block.lines())
        .map(|line| format!("{line} --replications 2"))
        .collect();
    assert_commands_run(&commands);
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_page_on_sweeps_run() {
    let commands: Vec<String> = blocks(&page("docs/sweep.md"), "sh")
        .iter()
        .flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<String>>())
        .collect();
    assert_commands_run(&commands);
}

#[test]
fn the_plan_of_the_page_on_sweeps_is_the_example() {
    assert_eq!(
        blocks(&page("docs/sweep.md"), "toml")[0],
        page("examples/stuck-line-sweep.toml")
    );
}

#[test]
fn the_scenarios_of_the_page_on_scenarios_are_valid() {
    let blocks = blocks(&page("docs/scenario.md"), "toml");
    assert!(!blocks.is_empty());
    for block in blocks {
        Scenario::from_toml(&block).unwrap_or_else(|error| panic!("{error}\n{block}"));
    }
}

/// Every key that the program writes is described; what it accepts beyond that, the language's own messages list.
#[test]
fn every_key_is_described() {
    let text = page("docs/scenario.md");
    let example = Scenario::from_toml(&page("examples/web-api.toml")).unwrap();
    let written: toml::Table = example.to_toml().parse().unwrap();
    for (section, value) in &written {
        assert!(text.contains(section), "{section}");
        let keys = match value {
            toml::Value::Table(table) => table.clone(),
            toml::Value::Array(items) => items[0].as_table().unwrap().clone(),
            _ => continue,
        };
        for key in keys.keys() {
            assert!(
                text.contains(&format!("| `{key}` |")),
                "{key} of {section} is not described"
            );
        }
    }
}
