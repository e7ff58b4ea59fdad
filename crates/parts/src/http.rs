//! Just enough HTTP to see whether a server is ready.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Whether `GET path` on that port of 127.0.0.1 is answered with 200.
pub fn answers(port: u16, path: &str) -> bool {
    // A server that waits for a part of it says so after a while; and the machine may be busy.
    let timeout = Duration::from_mins(1);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let Ok(mut stream) = TcpStream::connect_timeout(&address, timeout) else {
        return false;
    };
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut status = [0; 12];
    stream.set_read_timeout(Some(timeout)).is_ok()
        && stream.write_all(request.as_bytes()).is_ok()
        && stream.read_exact(&mut status).is_ok()
        && status.ends_with(b" 200")
}
