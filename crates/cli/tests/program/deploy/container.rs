//! The Containerfile, built by a real builder; its image runs.

use parts::{Buildah, End, Scratch};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// The image that the Containerfile builds in. No registry can be asked for it here: a small Debian takes its place, with
/// a program that stands for cargo.
const BUILDER: &str = "docker.io/library/rust:1.92-bookworm";
const IMAGE: &str = "localhost/firmeza";
/// The user that the image names.
const USER: u32 = 10_001;

#[test]
fn the_containerfile_builds_an_image_that_starts() {
    let file = fs::read_to_string(parts::workspace().join("Containerfile")).unwrap();
    assert!(file.contains(&format!("FROM {BUILDER} AS build")), "{file}");
    let mut scratch = Scratch::new().unwrap();
    let cargo = scratch.directory().join("cargo");
    fs::write(&cargo, include_str!("cargo.sh")).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let buildah = Buildah::new().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_firmeza"));
    buildah
        .add_base(
            BUILDER,
            &[(&cargo, "/usr/local/bin/cargo"), (program, "/built/firmeza")],
        )
        .unwrap();
    buildah.build(&parts::workspace(), IMAGE).unwrap();

    let said = |template: &str| buildah.inspect(IMAGE, template).unwrap();
    assert_eq!(said("{{.OCIv1.Config.User}}"), "10001:10001");
    assert_eq!(said("{{.OCIv1.Config.StopSignal}}"), "SIGTERM");
    assert_eq!(said("{{.OCIv1.Config.Volumes}}"), "map[/var/lib/firmeza:{}]");
    assert_eq!(
        said("{{.OCIv1.Config.ExposedPorts}}"),
        "map[8080/tcp:{} 9464/tcp:{}]"
    );
    let words = |of: &str| said(&format!("{{{{range .OCIv1.Config.{of}}}}}{{{{.}}}} {{{{end}}}}"));
    let start = format!("{} {}", words("Entrypoint"), words("Cmd"));
    assert_eq!(start, "/usr/bin/firmeza serve");

    let (container, files) = buildah.container(IMAGE).unwrap();
    let programs = names(&files.join("usr/bin"));
    assert_eq!(programs, BTreeSet::from(["firmeza".to_owned()]));
    let data = fs::metadata(files.join("var/lib/firmeza")).unwrap();
    assert_eq!((data.uid(), data.mode() & 0o7777), (USER, 0o700));

    let (port, metrics) = (parts::free_port().unwrap(), parts::free_port().unwrap());
    // The builder's containers share the network of this machine.
    let options = [
        format!("--env=FIRMEZA_LISTEN=127.0.0.1:{port}"),
        format!("--env=FIRMEZA_METRICS_LISTEN=127.0.0.1:{metrics}"),
        format!("--env=FIRMEZA_BASE_URL=http://127.0.0.1:{port}"),
    ];
    let mut command = buildah.run_in(&container, &options).unwrap();
    command.args(start.split(' '));
    scratch.start("container", &mut command, End::KillGroup).unwrap();
    scratch
        .wait_until("container", || parts::answers(port, "/ready"))
        .unwrap();
    assert!(parts::answers(metrics, "/metrics"));
}

fn names(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}
