//! A way to a server that can be cut, or go dead.

use super::STALL_TIMEOUT;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Open,
    /// Connections break, and new ones break at once.
    Cut,
    /// Nothing breaks, and nothing arrives.
    Dead,
}

/// Passes connections on to a server on this machine.
pub(crate) struct Relay {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    way: Mutex<Way>,
    changed: Condvar,
    over: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl Relay {
    pub(crate) fn to(server: u16) -> Self {
        let port = parts::free_port().unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap();
        let shared = Arc::new(Shared {
            way: Mutex::new(Way::Open),
            changed: Condvar::new(),
            over: AtomicBool::new(false),
            open: Mutex::default(),
        });
        let relay = Self {
            port,
            shared: Arc::clone(&shared),
        };
        thread::spawn(move || {
            for incoming in listener.incoming() {
                if shared.over.load(Ordering::SeqCst) {
                    break;
                }
                if let Ok(incoming) = incoming
                    && *shared.way.lock().unwrap() != Way::Cut
                {
                    // One that cannot be passed on is dropped, as a cut one is.
                    let _ = shared.pass(&incoming, server);
                }
            }
        });
        relay
    }

    pub(crate) fn cut(&self) {
        self.become_(Way::Cut);
        for stream in self.shared.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn go_dead(&self) {
        self.become_(Way::Dead);
    }

    pub(crate) fn mend(&self) {
        self.become_(Way::Open);
    }

    fn become_(&self, way: Way) {
        *self.shared.way.lock().unwrap() = way;
        self.shared.changed.notify_all();
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.cut();
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes the one who accepts, so that the port is free again.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

impl Shared {
    fn pass(self: &Arc<Self>, incoming: &TcpStream, server: u16) -> io::Result<()> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, server));
        let outgoing = TcpStream::connect_timeout(&address, STALL_TIMEOUT)?;
        let mut open = self.open.lock().unwrap();
        // The way may have been cut since it was asked for: what is added to `open` now is not broken any more.
        if *self.way.lock().unwrap() == Way::Cut {
            return Ok(());
        }
        for (from, to) in [(incoming, &outgoing), (&outgoing, incoming)] {
            let (mut from, mut to) = (from.try_clone()?, to.try_clone()?);
            open.push(from.try_clone()?);
            let shared = Arc::clone(self);
            thread::spawn(move || {
                let _ = shared.copy(&mut from, &mut to);
                let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
            });
        }
        Ok(())
    }

    fn copy(&self, from: &mut TcpStream, to: &mut TcpStream) -> io::Result<()> {
        let mut block = vec![0; 64 * 1024];
        loop {
            let read = from.read(&mut block)?;
            if read == 0 {
                return Ok(());
            }
            let mut way = self.way.lock().unwrap();
            while *way == Way::Dead {
                way = self.changed.wait(way).unwrap();
            }
            drop(way);
            to.write_all(&block[..read])?;
        }
    }
}
