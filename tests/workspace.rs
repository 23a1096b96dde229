//! The shape of the workspace: who may depend on whom, and what features may not be switched on.

use std::collections::{HashMap, HashSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};

fn metadata() -> Metadata {
    MetadataCommand::new()
        .exec()
        .expect("cargo metadata describes the workspace")
}

/// All packages that `package` needs to build, directly or through others, without development dependencies.
fn needs(metadata: &Metadata, package: &str) -> HashSet<String> {
    let resolve = metadata
        .resolve
        .as_ref()
        .expect("metadata has a dependency graph");
    let names: HashMap<&PackageId, &str> = metadata
        .packages
        .iter()
        .map(|package| (&package.id, package.name.as_str()))
        .collect();
    let nodes: HashMap<&PackageId, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let start = resolve
        .nodes
        .iter()
        .find(|node| names[&node.id] == package)
        .expect("the package exists");
    let mut found = HashSet::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for dependency in &node.deps {
            let builds = dependency
                .dep_kinds
                .iter()
                .any(|kind| kind.kind != DependencyKind::Development);
            if builds && found.insert(names[&dependency.pkg].to_owned()) {
                open.push(nodes[&dependency.pkg]);
            }
        }
    }
    found
}

/// Packages that `package` names in its manifest, development dependencies included.
fn names_directly(metadata: &Metadata, package: &str) -> HashSet<String> {
    let package = metadata
        .packages
        .iter()
        .find(|known| known.name == package)
        .expect("the package exists");
    package
        .dependencies
        .iter()
        .map(|dependency| dependency.name.clone())
        .collect()
}

#[test]
fn theory_and_simulation_share_nothing_but_the_model() {
    let metadata = metadata();
    for (package, other) in [
        ("retrylab-analytic", "retrylab-sim"),
        ("retrylab-sim", "retrylab-analytic"),
    ] {
        assert!(
            !needs(&metadata, package).contains(other),
            "{package} needs {other}"
        );
        assert!(
            !names_directly(&metadata, package).contains(other),
            "{package} names {other}, if only for its tests"
        );
        let ours: Vec<_> = needs(&metadata, package)
            .into_iter()
            .filter(|name| name.starts_with("retrylab"))
            .collect();
        assert_eq!(ours, ["retrylab-model"], "what {package} needs of the workspace");
    }
}

#[test]
fn dependencies_point_one_way() {
    let metadata = metadata();
    let allowed: [(&str, &[&str]); 8] = [
        ("retrylab-model", &[]),
        ("retrylab-analytic", &["retrylab-model"]),
        ("retrylab-sim", &["retrylab-model"]),
        ("retrylab-latencies", &["retrylab-model", "retrylab-analytic"]),
        (
            "retrylab-verify",
            &["retrylab-model", "retrylab-analytic", "retrylab-sim"],
        ),
        (
            "retrylab-assess",
            &[
                "retrylab-model",
                "retrylab-analytic",
                "retrylab-sim",
                "retrylab-latencies",
                "retrylab-verify",
            ],
        ),
        (
            "retrylab-sweep",
            &[
                "retrylab-model",
                "retrylab-sim",
                "retrylab-latencies",
                "retrylab-verify",
            ],
        ),
        (
            "retrylab",
            &[
                "retrylab-model",
                "retrylab-analytic",
                "retrylab-sim",
                "retrylab-latencies",
                "retrylab-verify",
                "retrylab-assess",
                "retrylab-sweep",
            ],
        ),
    ];
    for (package, allowed) in allowed {
        for dependency in names_directly(&metadata, package) {
            assert!(
                !dependency.starts_with("retrylab") || allowed.contains(&dependency.as_str()),
                "{package} depends on {dependency}"
            );
        }
    }
}

#[test]
fn the_simulated_path_uses_no_library_that_calls_the_systems_maths() {
    // statrs, rand_distr and num-traits reach the system's exp and ln as soon as any crate of the build asks for
    // their `std` feature; the simulator's results must not depend on that.
    let simulator = needs(&metadata(), "retrylab-sim");
    for library in ["statrs", "rand_distr", "num-traits", "nalgebra"] {
        assert!(!simulator.contains(library), "the simulator depends on {library}");
    }
}

#[test]
fn every_member_of_the_workspace_is_tested_by_default() {
    let metadata = metadata();
    let members: HashSet<_> = metadata.workspace_members.iter().collect();
    let by_default: HashSet<_> = metadata.workspace_default_members.iter().collect();
    assert_eq!(
        members, by_default,
        "cargo test at the root must cover every crate"
    );
}
