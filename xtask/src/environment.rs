//! What tests find around them: tools that are installed, servers that run, variables that name both.

use parts::{
    AIOSMTPD, AXE, Buildah, CADDY, CLIENT_GENERATORS, CURL, Chromium, DEPLOY_SCHEMAS, EXAMPLE_LANGUAGES, Fiu,
    GENERATED_CLIENTS, GO, IDENTITY_PROVIDER, JAVA_CLIENTS, Kannel, MCP, MONO, MYPY, NODE_CLIENTS, Nginx,
    NodeModules, OPENAPI_TOOLS, OPENTELEMETRY, PDF_RENDERERS, PDF_VALIDATORS, PDFBOX, PDFIUM, PDFJS,
    PHP_CLIENTS, PYHANKO, PYTHON_CLIENTS, Part, PgBouncer, Postgres, Prometheus, REQUESTS, RUBY, Result, S3,
    SCHEMATHESIS, SOFTHSM, Strace, Systemd, TYPESCRIPT, Venv,
};

/// The tools of tests that are packages of Python or npm.
pub(crate) struct Tools {
    pub(crate) schemathesis: Venv,
    pyhanko: Venv,
    pdfium: Venv,
    pdfjs: NodeModules,
}

/// The parts that are packages of the system.
const PACKAGES: [&Part; 25] = [
    &Postgres::PART,
    &PgBouncer::PART,
    &S3::PART,
    &Nginx::PART,
    &CADDY,
    &Buildah::PART,
    &Venv::PART,
    &PDF_VALIDATORS,
    &PDFBOX,
    &PDF_RENDERERS,
    &SOFTHSM,
    &Fiu::PART,
    &Strace::PART,
    &Systemd::PART,
    &Kannel::PART,
    &Prometheus::PART,
    &Chromium::PART,
    &EXAMPLE_LANGUAGES,
    &CURL,
    &JAVA_CLIENTS,
    &GENERATED_CLIENTS,
    &GO,
    &PHP_CLIENTS,
    &RUBY,
    &MONO,
];

/// Fails when a part is missing that cannot be installed, before any time goes into a build.
pub(crate) fn look_for_parts() -> Result<()> {
    parts::can_provide(&PACKAGES)
}

/// Installs what is missing: packages of the system, of Python and of npm.
pub(crate) fn install_parts() -> Result<Tools> {
    let installed = parts::provide(&PACKAGES)?;
    if !installed.is_empty() {
        eprintln!("installed {}", installed.join(" "));
    }
    Venv::of(&AIOSMTPD)?;
    Venv::of(&AXE)?;
    Venv::of(&REQUESTS)?;
    Venv::of(&PYTHON_CLIENTS)?;
    NodeModules::of(&NODE_CLIENTS)?;
    Venv::of(&CLIENT_GENERATORS)?;
    NodeModules::of(&OPENAPI_TOOLS)?;
    Venv::of(&DEPLOY_SCHEMAS)?;
    Venv::of(&MCP)?;
    Venv::of(&OPENTELEMETRY)?;
    Venv::of(&MYPY)?;
    NodeModules::of(&TYPESCRIPT)?;
    NodeModules::of(&IDENTITY_PROVIDER)?;
    Ok(Tools {
        schemathesis: Venv::of(&SCHEMATHESIS)?,
        pyhanko: Venv::of(&PYHANKO)?,
        pdfium: Venv::of(&PDFIUM)?,
        pdfjs: NodeModules::of(&PDFJS)?,
    })
}

impl Tools {
    pub(crate) fn variables(&self) -> [(&'static str, String); 4] {
        let python = |venv: &Venv| venv.program("python").display().to_string();
        [
            ("FIRMEZA_TEST_PYTHON", python(&self.pyhanko)),
            ("FIRMEZA_TEST_PDFIUM", python(&self.pdfium)),
            ("FIRMEZA_TEST_NODE", self.pdfjs.node().display().to_string()),
            ("FIRMEZA_TEST_PDFJS", self.pdfjs.directory().display().to_string()),
        ]
    }
}

/// The servers that tests find in their environment.
pub(crate) struct Servers {
    postgres: Postgres,
    s3: S3,
}

impl Servers {
    pub(crate) fn start() -> Result<Self> {
        Ok(Self {
            postgres: Postgres::start()?,
            s3: S3::start()?,
        })
    }

    pub(crate) fn variables(&self, stack: &str) -> Vec<(&'static str, String)> {
        let mut offered = vec![
            ("FIRMEZA_TEST_STACK", stack.to_owned()),
            ("FIRMEZA_TEST_POSTGRES_URL", self.postgres.url()),
            ("FIRMEZA_TEST_S3_URL", format!("s3://{}/tests", self.s3.bucket())),
        ];
        offered.extend(self.s3.env());
        // The storage may be as busy as the machine.
        offered.extend(["AWS_TIMEOUT", "AWS_CONNECT_TIMEOUT"].map(|name| (name, "60 seconds".to_owned())));
        offered
    }
}
