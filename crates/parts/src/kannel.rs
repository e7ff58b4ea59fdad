//! An SMS gateway: kannel, with a telephone network that only writes down what it is given.

use std::fs;
use std::net::TcpStream;
use std::process::Command;

use crate::find_program::find;
use crate::packages::Need;
use crate::{End, Error, Part, Result, Scratch, free_port, provide};

const PASSWORD: &str = "secreta";
const FAKE_SMSC: &str = "/usr/lib/kannel/test/fakesmsc";

/// A throwaway gateway on 127.0.0.1.
#[derive(Debug)]
pub struct Kannel {
    scratch: Scratch,
    port: u16,
}

impl Kannel {
    pub const PART: Part = Part {
        needs: &[
            Need::Program {
                name: "bearerbox",
                package: "kannel",
            },
            Need::File {
                path: FAKE_SMSC,
                package: "kannel-extras",
            },
        ],
    };

    pub fn start() -> Result<Self> {
        provide(&[&Self::PART])?;
        let mut kannel = Self {
            scratch: Scratch::new()?,
            port: free_port()?,
        };
        let [admin, inner, smsc] = [free_port()?, free_port()?, free_port()?];
        let own = kannel.scratch.directory().to_path_buf();
        let conf = include_str!("kannel.conf")
            .replace("{admin}", &admin.to_string())
            .replace("{box}", &inner.to_string())
            .replace("{smsc}", &smsc.to_string())
            .replace("{http}", &kannel.port.to_string())
            .replace("{password}", PASSWORD);
        fs::write(own.join("kannel.conf"), conf)?;
        let program = |name: &str| find(name).ok_or_else(|| Error::new(format!("{name} is not installed")));
        let listens = |port: u16| TcpStream::connect(("127.0.0.1", port)).is_ok();

        let mut bearerbox = Command::new(program("bearerbox")?);
        bearerbox.current_dir(&own).args(["-v", "1", "kannel.conf"]);
        kannel
            .scratch
            .start("bearerbox", &mut bearerbox, End::KillGroup)?;
        kannel.scratch.wait_until("bearerbox", || {
            listens(inner) && listens(admin) && is_listened_on(smsc)
        })?;

        let mut network = Command::new(FAKE_SMSC);
        network.current_dir(&own).args([
            "-H",
            "127.0.0.1",
            "-r",
            &smsc.to_string(),
            "-m",
            "0",
            "1 2 text x",
        ]);
        kannel.scratch.start("fakesmsc", &mut network, End::KillGroup)?;

        let mut smsbox = Command::new(program("smsbox")?);
        smsbox.current_dir(&own).args(["-v", "1", "kannel.conf"]);
        kannel.scratch.start("smsbox", &mut smsbox, End::KillGroup)?;
        let port = kannel.port;
        kannel.scratch.wait_until("smsbox", || listens(port))?;
        Ok(kannel)
    }

    /// Where messages are posted.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/cgi-bin/sendsms", self.port)
    }

    /// The query with which it is asked, as a template.
    pub fn format(&self) -> String {
        format!("?username=firmeza&password={PASSWORD}&to={{to}}&text={{text}}&charset=UTF-8")
    }

    /// What reached the telephone network: sender, number and text, a line each.
    pub fn delivered(&self) -> Vec<String> {
        let log = fs::read_to_string(self.scratch.directory().join("fakesmsc.log")).unwrap_or_default();
        let message = |line: &str| {
            let (_, message) = line.split_once("Got message ")?;
            let (_, message) = message.split_once(": <")?;
            Some(message.trim_end_matches('>').to_owned())
        };
        log.lines().filter_map(message).collect()
    }
}

/// Whether a program listens on that port. It is not asked by connecting: the gateway would take a connection to the
/// port of its telephone network for the network.
fn is_listened_on(port: u16) -> bool {
    const LISTENING: &str = "0A";
    let end = format!(":{port:04X}");
    let is_it = |line: &str| {
        let mut columns = line.split_whitespace().skip(1);
        columns.next().is_some_and(|address| address.ends_with(&end)) && columns.nth(1) == Some(LISTENING)
    };
    ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .any(|table| fs::read_to_string(table).is_ok_and(|table| table.lines().any(is_it)))
}
