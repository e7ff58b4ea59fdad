//! Nothing outlives the process that started it.
//!
//! A parent-death signal would be tied to the thread that spawned the child, and test threads end early; so
//! a small shell process holds the other end of a pipe and clears up when the pipe closes, however this
//! process ends.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{Error, Result};

/// How a process is to be ended.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// The whole process group that it leads, at once.
    KillGroup,
    /// The process alone, by the signal that has `PostgreSQL` end its own children at once.
    Quit,
}

/// Ends the processes it watches and removes its directory when dropped or when this process dies.
#[derive(Debug)]
pub struct Guard {
    shell: Child,
    watched: Vec<(u32, End)>,
}

impl Guard {
    /// The directory, if one is given, is removed in the end.
    pub fn new(directory: Option<&Path>) -> Result<Self> {
        let shell = Command::new("sh")
            .args(["-c", include_str!("guard.sh"), "guard"])
            .arg(directory.unwrap_or(Path::new("")))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Out of the terminal's reach: Ctrl-C must not end the one who clears up.
            .process_group(0)
            .spawn()
            .map_err(Error::while_("sh"))?;
        Ok(Self {
            shell,
            watched: Vec::new(),
        })
    }

    /// Starts a command as the leader of a process group and watches it.
    pub fn spawn(&mut self, command: &mut Command, end: End) -> Result<Child> {
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command.process_group(0).spawn().map_err(Error::while_(name))?;
        self.watched.push((child.id(), end));
        self.tell()?;
        Ok(child)
    }

    /// The process has ended and been waited for: its number may soon be another's.
    pub fn forget(&mut self, child: &Child) -> Result<()> {
        self.watched.retain(|(id, _)| *id != child.id());
        self.tell()
    }

    /// Ends the watched processes without waiting; the caller still has to reap its children.
    pub(crate) fn release(&mut self) {
        drop(self.shell.stdin.take());
    }

    fn tell(&mut self) -> Result<()> {
        let ends = self.watched.iter().map(|(id, end)| match end {
            End::KillGroup => format!("KILL -{id} "),
            End::Quit => format!("QUIT {id} "),
        });
        let line = ends.chain(["\n".into()]).collect::<String>();
        match &mut self.shell.stdin {
            Some(pipe) => pipe.write_all(line.as_bytes()).map_err(Error::while_("guard")),
            None => Ok(()),
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.release();
        // Nothing is left to do about a failure here.
        let _ = self.shell.wait();
    }
}
