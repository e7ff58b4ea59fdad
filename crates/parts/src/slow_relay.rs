//! A way to a server of this machine that is as slow as one to a distant server.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::Result;

/// Passes connections on. What the server answers arrives later than it was sent, however many connections there are. It
/// ends with its process.
#[derive(Debug)]
pub struct SlowRelay {
    port: u16,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    waiting: AtomicUsize,
    most: AtomicUsize,
}

impl SlowRelay {
    /// To the server on that port, whose answers take so much longer.
    pub fn to(server: u16, delay: Duration) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let counts = Arc::<Counts>::default();
        let shared = Arc::clone(&counts);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, server)) {
                    // A connection that breaks is one that the client sees broken.
                    let _ = pass(client, server, delay, &shared);
                }
            }
        });
        Ok(Self { port, counts })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The most connections whose answers were awaited at once, since the last time that this was asked.
    pub fn most_waiting(&self) -> usize {
        self.counts.most.swap(0, Ordering::SeqCst)
    }
}

impl Counts {
    fn begin(&self) {
        let now = self.waiting.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
    }

    fn end(&self) {
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

fn pass(client: TcpStream, server: TcpStream, delay: Duration, counts: &Arc<Counts>) -> std::io::Result<()> {
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let waits = Arc::new(AtomicBool::new(false));
    let (from_client, to_server) = (client.try_clone()?, server.try_clone()?);
    let (asked, counted) = (Arc::clone(&waits), Arc::clone(counts));
    thread::spawn(move || {
        each_block(&from_client, |block| {
            if !asked.swap(true, Ordering::SeqCst) {
                counted.begin();
            }
            (&to_server).write_all(&block).is_ok()
        });
        let _ = to_server.shutdown(Shutdown::Write);
    });
    let (send, late) = mpsc::channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        each_block(&server, |block| {
            send.send((Instant::now() + delay, block)).is_ok()
        });
    });
    let counted = Arc::clone(counts);
    thread::spawn(move || {
        for (at, block) in late {
            thread::sleep(at.saturating_duration_since(Instant::now()));
            if waits.swap(false, Ordering::SeqCst) {
                counted.end();
            }
            if (&client).write_all(&block).is_err() {
                break;
            }
        }
        if waits.swap(false, Ordering::SeqCst) {
            counted.end();
        }
        let _ = client.shutdown(Shutdown::Both);
    });
    Ok(())
}

/// Reads until the end, or until a block is not taken.
fn each_block(mut from: &TcpStream, take: impl Fn(Vec<u8>) -> bool) {
    let mut block = vec![0; 256 * 1024];
    while let Ok(read) = from.read(&mut block) {
        if read == 0 || !take(block[..read].to_vec()) {
            return;
        }
    }
}
