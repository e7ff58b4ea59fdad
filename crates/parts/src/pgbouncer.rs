//! pgbouncer in front of a `PostgreSQL`: each transaction may get another connection to the server.

use std::fs::{self, Permissions};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;

use crate::find_program::find;
use crate::packages::Need;
use crate::postgres::unprivileged;
use crate::{End, Error, Part, Postgres, Result, Scratch, free_port, provide};

const NAME: &str = "pgbouncer";

/// A throwaway pooler on 127.0.0.1, in transaction mode.
#[derive(Debug)]
pub struct PgBouncer {
    _scratch: Scratch,
    port: u16,
}

impl PgBouncer {
    pub const PART: Part = Part {
        needs: &[Need::Program {
            name: NAME,
            package: NAME,
        }],
    };

    /// With that many connections to each database of the server.
    pub fn start(server: &Postgres, connections: usize) -> Result<Self> {
        provide(&[&Postgres::PART, &Self::PART])?;
        let (mut scratch, port) = (Scratch::new()?, free_port()?);
        let ini = include_str!("pgbouncer.ini")
            .replace("{server}", &server.port().to_string())
            .replace("{port}", &port.to_string())
            .replace("{size}", &connections.to_string());
        let path = scratch.directory().join("pgbouncer.ini");
        fs::write(&path, ini)?;
        // It is read by the user that runs the pooler.
        fs::set_permissions(&path, Permissions::from_mode(0o644))?;
        let program = find(NAME).ok_or_else(|| Error::new("pgbouncer is not installed"))?;
        scratch.start(NAME, unprivileged(program).arg(&path), End::KillGroup)?;
        scratch.wait_until(NAME, || TcpStream::connect(("127.0.0.1", port)).is_ok())?;
        Ok(Self {
            _scratch: scratch,
            port,
        })
    }

    /// The address of a database by way of the pooler.
    pub fn url_of(&self, database: &str) -> String {
        format!(
            "postgres://test@127.0.0.1:{}/{database}?pool_mode=transaction",
            self.port
        )
    }
}
