//! Python environments with pinned packages, kept between runs.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::install::install_once;
use crate::packages::Need;
use crate::{Error, Part, Result, provide, run, tools};

/// What an environment holds: its name and its packages, every one pinned, as `pip freeze` prints them.
#[derive(Debug)]
pub struct Packages {
    name: &'static str,
    pinned: &'static str,
}

/// Tries an HTTP service against its own `OpenAPI` document: the program `st`.
pub const SCHEMATHESIS: Packages = Packages {
    name: "schemathesis",
    pinned: include_str!("../python/schemathesis.txt"),
};

/// Validates signed PDF files, with a stricter eye than most: the module `pyhanko`.
pub const PYHANKO: Packages = Packages {
    name: "pyhanko",
    pinned: include_str!("../python/pyhanko.txt"),
};

/// A mail server: the module `aiosmtpd`.
pub const AIOSMTPD: Packages = Packages {
    name: "aiosmtpd",
    pinned: include_str!("../python/aiosmtpd.txt"),
};

/// Finds what keeps people from using a page: a script that runs inside it, in a package of its own.
pub const AXE: Packages = Packages {
    name: "axe",
    pinned: include_str!("../python/axe.txt"),
};

/// Draws pages, the modules `pypdfium2` and `fpng_py`; and writes documents to draw.
pub const PDFIUM: Packages = Packages {
    name: "pdfium",
    pinned: include_str!("../python/pdfium.txt"),
};

/// The HTTP client of the guide's examples in Python: the module `requests`.
pub const REQUESTS: Packages = Packages {
    name: "requests",
    pinned: include_str!("../python/requests.txt"),
};

/// The HTTP clients that Python programs use: `requests`, `httpx` and `aiohttp`.
pub const PYTHON_CLIENTS: Packages = Packages {
    name: "http_clients",
    pinned: include_str!("../python/http_clients.txt"),
};

/// Checks the types of Python programs: the program `mypy`.
pub const MYPY: Packages = Packages {
    name: "mypy",
    pinned: include_str!("../python/mypy.txt"),
};

/// The official client of the Model Context Protocol: the module `mcp`.
pub const MCP: Packages = Packages {
    name: "mcp",
    pinned: include_str!("../python/mcp.txt"),
};

/// The schemas of Compose and Kubernetes: the programs `check-jsonschema` and `kubernetes-validate`.
pub const DEPLOY_SCHEMAS: Packages = Packages {
    name: "deploy_schemas",
    pinned: include_str!("../python/deploy_schemas.txt"),
};

/// The official definitions of OpenTelemetry's protocol: the module `opentelemetry.proto`.
pub const OPENTELEMETRY: Packages = Packages {
    name: "opentelemetry",
    pinned: include_str!("../python/opentelemetry.txt"),
};

/// Generators of API clients: the programs `openapi-python-client` and `openapi-generator-cli`, with what the Python client
/// that they generate needs.
pub const CLIENT_GENERATORS: Packages = Packages {
    name: "client_generators",
    pinned: include_str!("../python/client_generators.txt"),
};

/// Node and npm: the programs `node` and `npm`.
pub const NODE: Packages = Packages {
    name: "node",
    pinned: include_str!("../python/node.txt"),
};

/// A Python environment that holds exactly its packages.
#[derive(Debug)]
pub struct Venv {
    directory: PathBuf,
}

impl Venv {
    pub const PART: Part = Part {
        needs: &[
            Need::Program {
                name: "python3",
                package: "python3",
            },
            Need::PythonModule {
                name: "ensurepip",
                package: "python3-venv",
            },
        ],
    };

    /// The environment of these packages: made if it is not there or its pins have changed.
    pub fn of(packages: &Packages) -> Result<Self> {
        let directory = tools().join("python").join(packages.name);
        let venv = Self { directory };
        install_once(&venv.directory, packages.pinned, || venv.install(packages))?;
        Ok(venv)
    }

    fn install(&self, packages: &Packages) -> Result<()> {
        provide(&[&Self::PART])?;
        run(Command::new("python3").args(["-m", "venv"]).arg(&self.directory))?;
        let pins = self.directory.join("pinned.txt");
        fs::write(&pins, packages.pinned)?;
        run(Command::new(self.program("pip"))
            .args([
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--requirement",
            ])
            .arg(&pins))
        .map_err(Error::while_(format!("Python packages of {}", packages.name)))
        .map(drop)
    }

    /// A program that one of the packages brought.
    pub fn program(&self, name: &str) -> PathBuf {
        self.directory.join("bin").join(name)
    }

    /// A file that one of the packages brought, by its place among the modules.
    pub fn file(&self, place: &str) -> Result<PathBuf> {
        let library = self.directory.join("lib");
        let pythons = fs::read_dir(&library).map_err(Error::while_(library.display()))?;
        pythons
            .filter_map(std::result::Result::ok)
            .map(|python| python.path().join("site-packages").join(place))
            .find(|file| file.is_file())
            .ok_or_else(|| Error::new(format!("{place} is not in {}", self.directory.display())))
    }
}
