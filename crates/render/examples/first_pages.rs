//! Draws the first page of each file that standard input names, and counts the doubts: how often a signer would see the
//! notice. `find FOLDER -name '*.pdf' | cargo run -p render --example first_pages`, after `cargo build --examples`.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::Arc;

use render::{Launch, Limits, Pool, Rendered, Source};

fn main() -> io::Result<()> {
    let program = std::env::current_exe()?.with_file_name("render_worker");
    let launch = Launch {
        program,
        arguments: Vec::new(),
    };
    let pool = Pool::new(launch, 1, Limits::default());
    let mut counts = BTreeMap::<String, u32>::new();
    for (number, path) in (0_u64..).zip(io::stdin().lock().lines()) {
        let path = path?;
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_be_bytes());
        let source = Source {
            key,
            bytes: Arc::from(std::fs::read(&path)?),
        };
        let outcome = match pool.image(&source, 0, 600) {
            Ok(Rendered::Faithful(_)) => "faithful".to_owned(),
            Ok(Rendered::WithWarnings { warnings, .. }) => format!("doubt {warnings:?}"),
            Err(failure) => format!("none: {failure}"),
        };
        if outcome != "faithful" {
            println!("{outcome}\t{path}");
        }
        *counts.entry(outcome).or_default() += 1;
    }
    println!("{counts:#?}");
    let of = |kind: &str| {
        let outcomes = counts.iter().filter(|(outcome, _)| outcome.starts_with(kind));
        outcomes.map(|(_, count)| count).sum::<u32>()
    };
    let doubts = of("doubt");
    println!("{doubts} of {} pages raise a doubt", doubts + of("faithful"));
    Ok(())
}
