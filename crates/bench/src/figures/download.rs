//! What a download costs, with its event in the folio's history, against nginx sending the same file.

use super::{DOCUMENT, ROUNDS};
use crate::comparison::{Costs, Side, alternating};
use crate::load;
use crate::report::{Line, Target};
use crate::requests;
use crate::servers::Firmeza;
use parts::{Error, Nginx, Result};
use std::fs;
use std::path::Path;

const CLIENTS: usize = 8;
const LARGE_DOCUMENT_BYTES: usize = 5_000_000;

pub(super) fn measure_small() -> Result<Vec<Line>> {
    let costs = measure(DOCUMENT, 100, 15_000)?;
    let (value, spread) = costs.yield_ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "download",
        value,
        spread,
        unit: "x",
        target: Target::AtLeast(0.3),
        detail: format!(
            "{:.0} downloads of 100 KB a second of CPU; nginx {:.0}",
            1000.0 / ours,
            1000.0 / theirs
        ),
    }])
}

pub(super) fn measure_large() -> Result<Vec<Line>> {
    let costs = measure(LARGE_DOCUMENT_BYTES, 16, 500)?;
    let (value, spread) = costs.yield_ratio();
    let (ours, theirs) = costs.milliseconds();
    let gigabytes = |milliseconds: f64| 5.0 / milliseconds;
    Ok(vec![Line {
        name: "download-large",
        value,
        spread,
        unit: "x",
        target: Target::AtLeast(0.3),
        detail: format!(
            "{:.2} GB a second of CPU in downloads of 5 MB; nginx {:.2}",
            gigabytes(ours),
            gigabytes(theirs)
        ),
    }])
}

fn measure(size: usize, documents: u64, downloads: u64) -> Result<Costs> {
    let firmeza = Firmeza::start()?;
    let folios = firmeza.create_folios(documents, size)?;
    let documents = firmeza.documents(&folios)?;
    let own: Vec<Vec<u8>> = documents
        .iter()
        .map(|id| requests::download(&firmeza.key, id))
        .collect();
    let files = firmeza.data().join("documents");
    let nginx = Nginx::serve(&files)?;
    let port = nginx.url().rsplit(':').next().and_then(|port| port.parse().ok());
    let port: u16 = port.ok_or_else(|| Error::new("nginx has no port"))?;
    let same: Vec<Vec<u8>> = paths(&files)?
        .iter()
        .map(|path| requests::get("-", path))
        .collect();
    let load = |port, requests: &[Vec<u8>]| {
        load::run(port, CLIENTS, downloads, |client, number| {
            let at = usize::try_from(number).unwrap_or(0) % requests.len();
            let answer = client.ask(&[&requests[at]])?;
            if answer.length == size {
                Ok(())
            } else {
                Err(Error::new("a download of another length"))
            }
        })
    };
    let process = nginx.id().ok_or_else(|| Error::new("nginx is not running"))?;
    alternating(
        ROUNDS,
        Side::new(firmeza.process()?, || load(firmeza.port, &own)),
        Side::new(process, || load(port, &same)),
    )
}

/// The files of the documents, as addresses.
fn paths(directory: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for shard in fs::read_dir(directory)? {
        let shard = shard?;
        if !shard.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(shard.path())? {
            let (shard, file) = (shard.file_name(), file?.file_name());
            paths.push(format!("/{}/{}", shard.display(), file.display()));
        }
    }
    Ok(paths)
}
