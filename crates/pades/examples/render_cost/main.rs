//! What a page costs in processor time, against pdfium with a fast PNG encoder, on five typical contracts.
//! `FIRMEZA_TEST_PYTHON` names a Python with pypdfium2, `fpng_py`, numpy, reportlab, fpdf2, typst and Pillow.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark stops at the first surprise"
)]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use pades::render::{Launch, Limits, Pool, Rendered, Source};

const WIDTH: u32 = 1200;
const ROUNDS: u32 = 40;

fn main() {
    let python =
        std::env::var("FIRMEZA_TEST_PYTHON").expect("FIRMEZA_TEST_PYTHON; run through `cargo xtask bench`");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/render_cost");
    let folder = tempfile::tempdir().unwrap();
    run(Command::new(&python)
        .arg(scripts.join("contracts.py"))
        .arg(folder.path()));
    let mut files: Vec<_> = folder
        .path()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let worker = std::env::current_exe().unwrap().with_file_name("render_worker");
    let mut rivals = Command::new(&python);
    rivals
        .arg(scripts.join("pdfium.py"))
        .args([WIDTH, ROUNDS].map(|number| number.to_string()));
    let rivals = run(rivals.args(&files));
    let mut ratios = Vec::new();
    for (path, rival) in files.iter().zip(rivals.lines()) {
        let fields: Vec<&str> = rival.split(' ').collect();
        let [name, rival, _, rival_size] = fields[..] else {
            panic!("{rival}")
        };
        let rival: f64 = rival.parse().unwrap();
        let launch = Launch {
            program: worker.clone(),
            arguments: Vec::new(),
        };
        let pool = Pool::new(launch, 1, Limits::default());
        let source = Source {
            key: [0; 32],
            bytes: Arc::from(std::fs::read(path).unwrap()),
        };
        let draw = || match pool.image(&source, 0, WIDTH).unwrap() {
            Rendered::Faithful(picture) => picture,
            Rendered::Doubtful { doubts, .. } => panic!("{name}: {doubts:?}"),
        };
        let size = draw().png.len();
        let mut rounds: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let before = spent();
                drop(draw());
                (spent() - before) * 1000.0
            })
            .collect();
        rounds.sort_by(f64::total_cmp);
        let ours = rounds[rounds.len() / 2];
        println!(
            "{name}: {ours:.1} ms, pdfium {rival:.1} ms, ratio {:.2}; {size} bytes, {rival_size}",
            ours / rival
        );
        ratios.push((ours / rival).ln());
    }
    let mean = (ratios.iter().sum::<f64>() / f64::from(u32::try_from(ratios.len()).unwrap())).exp();
    println!("render a page at {WIDTH} px vs. pdfium with fast PNG: {mean:.2}");
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Seconds of processor time of this process and its children so far.
fn spent() -> f64 {
    let of = |process: &str| -> f64 {
        let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
        let nanoseconds = |task: std::fs::DirEntry| -> f64 {
            let text = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            text.split(' ').next().unwrap().parse().unwrap_or(0.0)
        };
        tasks.map(|task| nanoseconds(task.unwrap())).sum()
    };
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let children: String = tasks
        .map(|task| std::fs::read_to_string(task.unwrap().path().join("children")).unwrap_or_default())
        .collect();
    let all: f64 = children.split_whitespace().map(of).sum();
    (all + of("self")) / 1e9
}
