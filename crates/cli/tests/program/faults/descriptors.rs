//! Few file descriptors, and a client that wants all of them.

use crate::support::{Connection, Installation, block_on};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
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
fn idle_connections_of_one_client_keep_nobody_else_out() {
    let installation = Installation::new();
    let _server = installation.serve_by(installation.wrapped(&["sh", "-c", &limited(300, 300)]));
    let held: Vec<Connection> = (0..320)
        .map(|_| Connection::open(installation.port).unwrap())
        .collect();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, installation.port));
    let status = block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, 2], 0))).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        let ask = b"GET /ready HTTP/1.1\r\nhost: firmeza.test\r\n\r\n";
        stream.write_all(ask).await.unwrap();
        let mut status = [0; 12];
        let read = tokio::time::timeout(Duration::from_secs(15), stream.read_exact(&mut status)).await;
        read.expect("an answer in time").unwrap();
        status
    });
    assert_eq!(&status, b"HTTP/1.1 200");
    drop(held);
}
