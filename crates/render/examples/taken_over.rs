//! What a worker that a hostile file took over would try: once in the sandbox of real workers, and once without, so that
//! the tests know that the attempts are real ones. Each attempt is a line of the output: its name, and its outcome.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use memmap2::MmapMut;
use nix::sys::ptrace;
use rustix::process::{Pid, Resource, Rlimit, Signal, getpriority_process, kill_process, prlimit};

/// What there is to be taken.
struct Targets {
    /// A file with a key in it; standard error is open on it, too.
    key: PathBuf,
    /// Where servers listen.
    port: u16,
    socket: PathBuf,
    /// Another process of the same user.
    process: i32,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().unwrap_or_default();
    let (mode, key, port, socket, process) = (next(), next(), next(), next(), next());
    let (Ok(port), Ok(process)) = (port.parse(), process.parse()) else {
        return ExitCode::FAILURE;
    };
    let targets = Targets {
        key: key.into(),
        port,
        socket: socket.into(),
        process,
    };
    match mode.as_str() {
        "confined" => render::run_confined(move |_| {
            try_all(&targets)?;
            tell("exec", Err::<(), _>(Command::new("/bin/true").exec()))
        }),
        "free" if try_all(&targets).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn try_all(targets: &Targets) -> io::Result<()> {
    let Targets { key, port, .. } = targets;
    let process = Pid::from_raw(targets.process).ok_or(io::ErrorKind::InvalidInput)?;
    tell("open", File::open(key))?;
    tell("write", File::options().append(true).open(key))?;
    tell("list", fs::read_dir("/"))?;
    tell("stat", fs::metadata(key))?;
    tell("remove", fs::remove_file(key.with_extension("spare")))?;
    tell("descriptor", File::open("/proc/self/fd/2"))?;
    tell("environment", fs::read("/proc/self/environ"))?;
    tell("memory", fs::read(format!("/proc/{}/maps", targets.process)))?;
    tell("left open", rustix::io::read(io::stderr(), &mut [0_u8; 8]))?;
    tell("tcp", TcpStream::connect(("127.0.0.1", *port)))?;
    tell("listen", TcpListener::bind("127.0.0.1:0"))?;
    tell("udp", UdpSocket::bind("127.0.0.1:0"))?;
    tell("unix", UnixStream::connect(&targets.socket))?;
    tell("datagram", UnixDatagram::unbound())?;
    tell("spawn", Command::new("/bin/true").status())?;
    tell("thread", std::thread::Builder::new().spawn(|| ()))?;
    tell("code", MmapMut::map_anon(4096).and_then(MmapMut::make_exec))?;
    tell("look", getpriority_process(Some(process)))?;
    let limit = Rlimit {
        current: Some(1 << 40),
        maximum: Some(1 << 40),
    };
    tell("limit", prlimit(Some(process), Resource::Core, limit))?;
    let traced = nix::unistd::Pid::from_raw(targets.process);
    tell(
        "trace",
        ptrace::attach(traced).and_then(|()| {
            nix::sys::wait::waitpid(traced, None)?;
            ptrace::detach(traced, None)
        }),
    )?;
    tell("kill", kill_process(process, Signal::KILL))
}

fn tell<T, E: Display>(attempt: &str, outcome: Result<T, E>) -> io::Result<()> {
    let mut out = io::stdout();
    match outcome {
        Ok(_) => writeln!(out, "{attempt}: done")?,
        Err(error) => writeln!(out, "{attempt}: {error}")?,
    }
    out.flush()
}
