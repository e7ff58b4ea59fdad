//! `cargo xtask bench`: measures what the program costs. `help.txt` says what, and how to read it.

mod comparison;
mod cpu;
mod figures;
mod load;
mod mail_sink;
mod pdf;
mod peers;
mod queueing;
mod replay;
mod report;
mod requests;
mod servers;
mod services;

use figures::{ALL, Figure};
use parts::{Error, Result};
use std::env;
use std::path::Path;
use std::process::ExitCode;

/// An error of a library.
type AnyError = Box<dyn std::error::Error + Send + Sync>;

const HELP: &str = include_str!("help.txt");

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["-h" | "--help"] => {
            print!("{HELP}");
            Ok(true)
        }
        ["--peer", name, port, directory] => match port.parse() {
            Ok(port) => peers::run(name, port, Path::new(directory)).map(|()| true),
            Err(_) => Err(Error::new("a peer wants a port")),
        },
        [figures::engine::render::WORKER] => return render::run_worker(),
        names => chosen(names).and_then(|figures| measure(&figures)),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The figures of these names; without any, all.
fn chosen(names: &[&str]) -> Result<Vec<&'static Figure>> {
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    let find = |name: &&str| {
        let found = ALL.iter().find(|figure| figure.name == *name);
        found.ok_or_else(|| Error::new(format!("there is no figure {name:?}\n\n{HELP}")))
    };
    names.iter().map(find).collect()
}

/// Measures figure by figure. Returns whether all their targets are met.
fn measure(figures: &[&Figure]) -> Result<bool> {
    println!("{}", report::heading());
    let mut met = true;
    for figure in figures {
        for line in (figure.measure)().map_err(Error::while_(figure.name))? {
            met &= line.ok();
            println!("{line}");
        }
    }
    Ok(met)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_explained() {
        for figure in ALL {
            assert!(HELP.contains(&format!("\n  {} ", figure.name)), "{}", figure.name);
        }
    }

    #[test]
    fn figures_are_chosen_by_name() {
        assert_eq!(chosen(&[]).unwrap().len(), ALL.len());
        assert_eq!(chosen(&["start", "create"]).unwrap()[0].name, "start");
        assert!(chosen(&["speed"]).is_err());
    }
}
