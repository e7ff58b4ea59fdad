//! PDFs by other hands: those that source packages of Debian and of Python's index carry for their own tests. They
//! are fetched, never committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::install_once;
use crate::{Error, PYHANKO, Result, Venv, run, tools};

const DEBIAN: [&str; 6] = [
    "qpdf",
    "libpdfbox-java",
    "libpdfbox2-java",
    "mupdf",
    "poppler",
    "ghostscript",
];
const PYTHON: [&str; 5] = ["pyhanko", "pypdf", "pikepdf", "ocrmypdf", "reportlab"];

/// The directory of these PDFs, fetched once.
pub fn foreign_pdfs() -> Result<PathBuf> {
    let directory = tools().join("foreign_pdfs");
    let wanted = [DEBIAN.as_slice(), &PYTHON].concat().join("\n");
    install_once(&directory, &wanted, || {
        let archives = directory.join("archives");
        fs::create_dir(&archives)?;
        debian_sources(&directory, &archives)?;
        python_sources(&archives)?;
        for archive in fs::read_dir(&archives)? {
            unpack(&archive?.path(), &directory.join("pdfs"))?;
        }
        Ok(())
    })?;
    Ok(directory.join("pdfs"))
}

/// Fetches sources from where the machine's packages come from.
fn debian_sources(directory: &Path, archives: &Path) -> Result<()> {
    let origins = directory.join("origins");
    let lists = directory.join("lists");
    fs::create_dir(&origins)?;
    fs::create_dir_all(lists.join("partial"))?;
    let parts = Path::new("/etc/apt/sources.list.d");
    for file in fs::read_dir(parts).map_err(Error::while_(parts.display()))? {
        let path = file?.path();
        if path.extension().is_some_and(|end| end == "sources") {
            let text = fs::read_to_string(&path)?.replace("Types: deb\n", "Types: deb-src\n");
            let name = path.file_name().unwrap_or_default();
            fs::write(origins.join(name), text)?;
        }
    }
    let apt_get = |arguments: &[&str]| {
        run(Command::new("apt-get")
            .arg("--quiet")
            .arg("--option=Dir::Etc::SourceList=/dev/null")
            .arg(format!("--option=Dir::Etc::SourceParts={}", origins.display()))
            .arg(format!("--option=Dir::State::Lists={}", lists.display()))
            .arg("--option=APT::Sandbox::User=root")
            .args(arguments)
            .current_dir(archives))
    };
    apt_get(&["update"])?;
    // Without the changes of Debian, which hold no documents.
    apt_get(&[&["source", "--download-only", "--tar-only"], DEBIAN.as_slice()].concat()).map(drop)
}

fn python_sources(archives: &Path) -> Result<()> {
    let python = Venv::of(&PYHANKO)?.program("python");
    run(Command::new(python)
        .args(["-c", include_str!("../python/sdists.py")])
        .args(PYTHON)
        .current_dir(archives))
    .map(drop)
}

/// Takes the PDFs out of an archive.
fn unpack(archive: &Path, pdfs: &Path) -> Result<()> {
    let name = archive
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let Some((package, kind)) = name.split_once(".tar.") else {
        return Ok(());
    };
    // A signature of an archive is no archive.
    if kind.contains('.') {
        return Ok(());
    }
    let place = pdfs.join(package);
    fs::create_dir_all(&place)?;
    let listed = run(Command::new("tar").arg("--list").arg("--file").arg(archive))?;
    if listed
        .lines()
        .any(|line| Path::new(line).extension().is_some_and(|end| end == "pdf"))
    {
        run(Command::new("tar")
            .args(["--extract", "--wildcards", "--no-anchored", "--directory"])
            .arg(&place)
            .arg("--file")
            .arg(archive)
            .arg("*.pdf"))?;
    }
    Ok(())
}
