//! A way to the database that loses the answer to a commit, and the connection with it.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

pub(crate) struct LossyRelay {
    server: u16,
    port: u16,
    lose_next: Arc<AtomicBool>,
}

impl LossyRelay {
    /// To the server of that address, on this machine.
    pub(crate) fn to(url: &str) -> Self {
        let (_, rest) = url.rsplit_once(':').unwrap();
        let server: u16 = rest.split('/').next().unwrap().parse().unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let lose_next = Arc::new(AtomicBool::new(false));
        let shared = lose_next.clone();
        // It ends with the test.
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.unwrap();
                let to_server = TcpStream::connect((Ipv4Addr::LOCALHOST, server)).unwrap();
                pass(client, to_server, &shared);
            }
        });
        Self {
            server,
            port,
            lose_next,
        }
    }

    /// The address by way of the relay.
    pub(crate) fn url(&self, url: &str) -> String {
        url.replace(&format!(":{}/", self.server), &format!(":{}/", self.port))
    }

    /// Of the next commit, the server hears and the client does not.
    pub(crate) fn lose_next_commit(&self) {
        self.lose_next.store(true, Ordering::SeqCst);
    }
}

fn pass(client: TcpStream, server: TcpStream, lose_next: &Arc<AtomicBool>) {
    let lost = Arc::new(AtomicBool::new(false));
    let (mut from_client, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let (lose_next, losing) = (lose_next.clone(), lost.clone());
    thread::spawn(move || {
        let _ = copy(&mut from_client, &mut to_server, |block| {
            let is_commit = block.windows(8).any(|word| word == b"; COMMIT");
            if is_commit && lose_next.swap(false, Ordering::SeqCst) {
                losing.store(true, Ordering::SeqCst);
            }
            true
        });
        let _ = to_server.shutdown(Shutdown::Both);
    });
    let (mut from_server, mut to_client) = (server, client);
    thread::spawn(move || {
        let _ = copy(&mut from_server, &mut to_client, |_| !lost.load(Ordering::SeqCst));
        let _ = (
            from_server.shutdown(Shutdown::Both),
            to_client.shutdown(Shutdown::Both),
        );
    });
}

/// Copies until one end closes, or a block must not pass.
fn copy(from: &mut TcpStream, to: &mut TcpStream, passes: impl Fn(&[u8]) -> bool) -> io::Result<()> {
    let mut block = vec![0; 64 * 1024];
    loop {
        let read = from.read(&mut block)?;
        if read == 0 || !passes(&block[..read]) {
            return Ok(());
        }
        to.write_all(&block[..read])?;
    }
}
