//! Few file descriptors, and a client that wants all of them.

use crate::support::{Connection, Installation, Request, Server, block_on, wait_for};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

/// The program under a limit of open files, soft and hard.
fn limited(soft: u32, hard: u32) -> String {
    format!("ulimit -Sn {soft} && ulimit -Hn {hard} && exec \"$0\" \"$@\"")
}

#[test]
fn the_soft_limit_is_raised_to_the_hard_one() {
    let installation = Installation::new();
    let server = installation.serve_by(installation.wrapped(&["sh", "-c", &limited(256, 900)]));
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files"));
    let files: Vec<&str> = files.unwrap().split_whitespace().collect();
    assert_eq!(files[3..5], ["900", "900"], "{limits}");
}

#[test]
fn idle_connections_of_one_client_shut_out_no_other_client() {
    let installation = Installation::new();
    let _server = installation.serve_by(installation.wrapped(&["sh", "-c", &limited(300, 300)]));
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, installation.port));
    // The service closes idle connections after half a minute: an answer that took so long shows nothing, and on a
    // busy machine it is asked again.
    wait_for("an answer while the others are idle", || {
        let begun = Instant::now();
        let held: Vec<Connection> = (0..320)
            .map(|_| Connection::open(installation.port).unwrap())
            .collect();
        let status = block_on(async {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::from(([127, 0, 0, 2], 0))).unwrap();
            let mut stream = socket.connect(address).await.unwrap();
            let ask = b"GET /ready HTTP/1.1\r\nhost: firmeza.test\r\n\r\n";
            stream.write_all(ask).await.unwrap();
            let mut status = [0; 12];
            stream.read_exact(&mut status).await.map(|_| status)
        });
        drop(held);
        begun.elapsed() < Duration::from_secs(15) && status.is_ok_and(|status| &status == b"HTTP/1.1 200")
    });
}

/// Leaves a running server a few descriptors beyond those that it has open; the limit that then holds.
fn lower_limit(server: &Server) -> u64 {
    let open = fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap();
    let number = |entry: fs::DirEntry| entry.file_name().to_str().unwrap().parse::<u64>().unwrap();
    let limit = open.map(|entry| number(entry.unwrap())).max().unwrap() + 8;
    let lowered = Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    };
    let process = Pid::from_raw(server.id().try_into().unwrap());
    prlimit(process, Resource::Nofile, lowered).unwrap();
    limit
}

/// The shortest pause after a failure to accept.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

#[test]
fn without_descriptors_accepting_pauses_and_goes_on_once_some_are_free() {
    let installation = Installation::new();
    let server = installation.serve();
    let limit = lower_limit(&server);
    let begun = Instant::now();
    // The server needs some of its descriptors for other things: so many connections cannot all be accepted.
    let held: Vec<Connection> = (0..limit)
        .map(|_| Connection::open(installation.port).unwrap())
        .collect();
    let mut waiting = Connection::open(installation.port).unwrap();
    waiting.send_head(&Request::get("/health")).unwrap();
    let failures = || {
        let log = server.logged();
        log.matches("connections cannot be accepted").count()
    };
    wait_for("some failures to accept", || failures() >= 5);
    let failures = u32::try_from(failures()).unwrap();
    let elapsed = begun.elapsed();
    // A pause is never shorter than this, however busy the machine: without any there are thousands of failures.
    assert!(
        elapsed >= ACCEPT_PAUSE * (failures - 1),
        "{failures} failures to accept within {elapsed:?}"
    );

    drop(held);
    let answer = waiting.response().unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
    wait_for("every part to be ready again", || {
        parts::answers(installation.port, "/ready")
    });
}
