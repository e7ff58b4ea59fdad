//! The examples for Compose and Kubernetes, by the schemas of both.

use parts::{DEPLOY_SCHEMAS, Venv, run, workspace};
use std::fs;
use std::path::Path;
use std::process::Command;

const COMPOSE: &str = "deploy/compose/compose.yaml";
const KUBERNETES: &str = "deploy/kubernetes/firmeza.yaml";
const KUBERNETES_SERVICES: &str = "deploy/kubernetes/services.yaml";

fn check_compose(venv: &Venv, file: &Path) -> parts::Result<String> {
    let mut command = Command::new(venv.program("check-jsonschema"));
    run(command
        .args(["--builtin-schema", "vendor.compose-spec"])
        .arg(file))
}

/// Refuses members that Kubernetes does not know, too.
fn check_kubernetes(venv: &Venv, file: &Path) -> parts::Result<String> {
    let mut command = Command::new(venv.program("kubernetes-validate"));
    run(command.arg("--strict").arg(file))
}

#[test]
fn the_examples_for_compose_and_kubernetes_are_valid() {
    let venv = Venv::of(&DEPLOY_SCHEMAS).unwrap();
    check_compose(&venv, &workspace().join(COMPOSE)).unwrap();
    for file in [KUBERNETES, KUBERNETES_SERVICES] {
        check_kubernetes(&venv, &workspace().join(file)).unwrap();
    }
    // The checks see a slip.
    let own = tempfile::tempdir().unwrap();
    let slip = |example: &str, right: &str, wrong: &str| {
        let text = fs::read_to_string(workspace().join(example)).unwrap();
        let file = own.path().join("slip.yaml");
        fs::write(&file, text.replacen(right, wrong, 1)).unwrap();
        file
    };
    let wrong = slip(COMPOSE, "restart: unless-stopped", "restarts: unless-stopped");
    assert!(check_compose(&venv, &wrong).is_err());
    let wrong = slip(KUBERNETES, "containerPort: 9464", "containerPorts: 9464");
    assert!(check_kubernetes(&venv, &wrong).is_err());
}
