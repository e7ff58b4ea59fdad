//! A `PostgreSQL` of one's own.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::find_program::find_postgres;
use crate::packages::{Need, is_root};
use crate::{End, Error, Part, Result, Scratch, free_port, provide, run};

const NAME: &str = "postgres";

/// A throwaway server on 127.0.0.1, whose superuser `test` needs no password.
#[derive(Debug)]
pub struct Postgres {
    scratch: Scratch,
    port: u16,
    durable: bool,
    /// Settings besides the usual ones, as `name=value`.
    settings: Vec<String>,
}

impl Postgres {
    pub const PART: Part = Part {
        needs: &[
            Need::PostgresProgram {
                name: "postgres",
                package: "postgresql",
            },
            Need::PostgresProgram {
                name: "psql",
                package: "postgresql-client",
            },
            Need::Program {
                name: "setpriv",
                package: "util-linux",
            },
        ],
    };

    /// Forgoes disk syncs: quick, and as good as any until the machine itself stops.
    pub fn start() -> Result<Self> {
        Self::start_with(false)
    }

    /// Syncs to disk on every commit, for where durability or its cost is the point.
    pub fn start_durable() -> Result<Self> {
        Self::start_with(true)
    }

    /// Archives its log, from which [`Self::recover`] brings a copy to a time.
    pub fn start_archiving() -> Result<Self> {
        let mut postgres = Self::prepare(false)?;
        let archive = own_directory(postgres.archive())?;
        postgres.settings = vec![
            "archive_mode=on".to_owned(),
            format!("archive_command=cp %p {}/%f", archive.display()),
        ];
        postgres.initialise()?;
        Ok(postgres)
    }

    /// Syncs to disk on every commit, and can write down the statements that it gets: see [`Self::statements`].
    pub fn start_recording() -> Result<Self> {
        let mut postgres = Self::prepare(true)?;
        let settings = [
            "logging_collector=on",
            "log_destination=jsonlog",
            "log_filename=statements",
            "log_rotation_age=0",
            "log_rotation_size=0",
        ];
        postgres.settings = settings.map(str::to_owned).to_vec();
        postgres.initialise()?;
        Ok(postgres)
    }

    /// Has each statement written down from now on, or no longer.
    pub fn record_statements(&self, wanted: bool) -> Result<()> {
        self.set("log_statement", if wanted { "all" } else { "none" })
    }

    /// The statements that were written down, as lines of JSON; the last may be incomplete.
    pub fn statements(&self) -> Result<String> {
        let file = self.data().join("log/statements.json");
        Ok(String::from_utf8_lossy(&std::fs::read(file)?).into_owned())
    }

    /// Makes a database with what another one holds at this moment.
    pub fn copy_database(&self, from: &str, to: &str) -> Result<String> {
        let copy = self.create_database(to)?;
        let file = self.scratch.directory().join(to);
        let mut dump = Command::new(find_postgres("pg_dump")?);
        dump.args(["--format=custom", "--file"]).arg(&file);
        run(dump.arg(self.url_of(from)))?;
        let mut restore = Command::new(find_postgres("pg_restore")?);
        restore.args(["--exit-on-error", "--dbname", &copy]);
        run(restore.arg(&file))?;
        std::fs::remove_file(file)?;
        Ok(copy)
    }

    fn start_with(durable: bool) -> Result<Self> {
        let mut postgres = Self::prepare(durable)?;
        postgres.initialise()?;
        Ok(postgres)
    }

    /// Without data yet.
    fn prepare(durable: bool) -> Result<Self> {
        provide(&[&Self::PART])?;
        let postgres = Self {
            scratch: Scratch::new()?,
            port: free_port()?,
            durable,
            settings: Vec::new(),
        };
        own_directory(postgres.data())?;
        Ok(postgres)
    }

    fn initialise(&mut self) -> Result<()> {
        let options = [
            "--username=test",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        ];
        run(as_owner("initdb")?.arg("--pgdata").arg(self.data()).args(options))?;
        self.start_again()
    }

    /// A hot standby of a running server: it streams what the other commits, and takes no writes until it is promoted.
    pub fn standby_of(primary: &Self) -> Result<Self> {
        let mut standby = Self::copy_of(primary, &["--write-recovery-conf"])?;
        standby.start_again()?;
        Ok(standby)
    }

    /// A copy of a running server's files as `pg_basebackup` takes it, not started.
    pub fn base_backup_of(primary: &Self) -> Result<Self> {
        Self::copy_of(primary, &[])
    }

    fn copy_of(primary: &Self, options: &[&str]) -> Result<Self> {
        let copy = Self::prepare(primary.durable)?;
        run(as_owner("pg_basebackup")?
            .args(["--dbname", &primary.url(), "--checkpoint=fast", "--no-sync"])
            .args(options)
            .arg("--pgdata")
            .arg(copy.data()))?;
        Ok(copy)
    }

    /// Starts a base backup and replays the archived log of the server that it is of, up to that time by its clock; then it
    /// takes writes. The log must go further.
    pub fn recover(&mut self, primary: &Self, time: &str) -> Result<()> {
        self.settings = vec![
            format!("restore_command=cp {}/%f %p", primary.archive().display()),
            format!("recovery_target_time={time}"),
            "recovery_target_action=promote".to_owned(),
        ];
        let signal = self.data().join("recovery.signal");
        std::fs::write(&signal, "")?;
        give_to_owner(&signal)?;
        self.start_again()?;
        while self.query("SELECT pg_is_in_recovery()")?.trim() == "t" {
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Has everything archived that was committed so far.
    pub fn archive_log(&self) -> Result<()> {
        let file = self.query("SELECT pg_walfile_name(pg_switch_wal())")?;
        let archived = self.archive().join(file.trim());
        while !archived.exists() {
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Makes a primary of a standby.
    pub fn promote(&self) -> Result<()> {
        run(as_owner("pg_ctl")?
            .args(["promote", "--silent", "--pgdata"])
            .arg(self.data()))?;
        Ok(())
    }

    /// Changes a setting of the whole server while it runs.
    pub fn set(&self, name: &str, value: &str) -> Result<()> {
        self.query(&format!("ALTER SYSTEM SET {name} = '{value}'"))?;
        self.query("SELECT pg_reload_conf()")?;
        Ok(())
    }

    /// The address of the superuser's own database.
    pub fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// Makes an empty database and returns its address.
    pub fn create_database(&self, name: &str) -> Result<String> {
        self.query(&format!("CREATE DATABASE \"{name}\""))?;
        Ok(self.url_of(name))
    }

    /// What `psql` prints for one statement on the superuser's database: bare values, a row a line.
    pub fn query(&self, sql: &str) -> Result<String> {
        let options = [
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--set=ON_ERROR_STOP=1",
        ];
        run(Command::new(find_postgres("psql")?)
            .args(options)
            .args(["--command", sql, &self.url()]))
    }

    /// Ends the server as a crash would: connections break, nothing is flushed.
    pub fn stop_immediate(&mut self) -> Result<()> {
        let data = self.data();
        run(as_owner("pg_ctl")?
            .args(["stop", "--mode=immediate", "--silent", "--pgdata"])
            .arg(data))?;
        self.scratch.wait_end(NAME)
    }

    /// Starts a stopped server on the same data and the same port, and waits for its recovery.
    pub fn start_again(&mut self) -> Result<()> {
        let mut server = as_owner("postgres")?;
        server
            .arg("-D")
            .arg(self.data())
            .arg("-p")
            .arg(self.port.to_string());
        // No socket files: their paths have a length limit that a temporary directory may pass.
        for setting in [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=300",
        ] {
            server.args(["-c", setting]);
        }
        for setting in &self.settings {
            server.args(["-c", setting]);
        }
        if !self.durable {
            server.args(["-c", "fsync=off", "-c", "full_page_writes=off"]);
        }
        self.scratch.start(NAME, &mut server, End::Quit)?;
        let mut probe = Command::new(find_postgres("pg_isready")?);
        probe
            .args(["--quiet", "--host=127.0.0.1", "--port", &self.port.to_string()])
            .stdin(Stdio::null());
        self.scratch
            .wait_until(NAME, || probe.status().is_ok_and(|status| status.success()))
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The process number of the server, for those who measure what it spends.
    pub fn id(&self) -> Option<u32> {
        self.scratch.id(NAME)
    }

    /// Where all files of the server are: its data, its log, its archive and what it printed.
    pub fn directory(&self) -> &Path {
        self.scratch.directory()
    }

    fn data(&self) -> PathBuf {
        self.scratch.directory().join("data")
    }

    fn archive(&self) -> PathBuf {
        self.scratch.directory().join("archive")
    }

    fn url_of(&self, database: &str) -> String {
        format!("postgres://test@127.0.0.1:{}/{database}", self.port)
    }
}

/// Makes a directory for the server alone.
fn own_directory(path: PathBuf) -> Result<PathBuf> {
    DirBuilder::new().mode(0o700).create(&path)?;
    give_to_owner(&path)?;
    Ok(path)
}

fn give_to_owner(path: &Path) -> Result<()> {
    if is_root() {
        chown(path, Some(owner("-u")?), Some(owner("-g")?))?;
    }
    Ok(())
}

/// The server and its tools refuse root: the package's own user runs them then.
fn as_owner(name: &str) -> Result<Command> {
    Ok(unprivileged(find_postgres(name)?))
}

/// A program that refuses root, run by the package's own user.
pub(crate) fn unprivileged(program: PathBuf) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=postgres", "--regid=postgres", "--init-groups", "--"])
        .arg(program);
    // Wherever we are may be closed to that user.
    command.current_dir("/");
    command
}

fn owner(which: &str) -> Result<u32> {
    let id = run(Command::new("id").args([which, "postgres"]))?;
    id.trim().parse().map_err(Error::while_("id postgres"))
}
