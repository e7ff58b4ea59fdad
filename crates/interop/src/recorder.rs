//! A TCP proxy that keeps what clients send.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Bytes that are read at once.
const READ_BYTES: usize = 64 * 1024;

/// What came on one connection so far.
type Received = Arc<Mutex<Vec<u8>>>;

/// Passes connections on to a server, and keeps the bytes of the clients.
#[derive(Debug)]
pub struct Recorder {
    address: SocketAddr,
    connections: Arc<Mutex<Vec<Received>>>,
    accepting: JoinHandle<()>,
}

impl Recorder {
    /// Listens on a free port of 127.0.0.1, in front of that server.
    pub async fn start(server: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let connections: Arc<Mutex<Vec<Received>>> = Arc::default();
        let accepting = tokio::spawn({
            let connections = connections.clone();
            async move {
                while let Ok((client, _)) = listener.accept().await {
                    let received = Received::default();
                    lock(&connections).push(received.clone());
                    // A connection that breaks is the client's or the server's to report.
                    tokio::spawn(pass_on(client, server, received));
                }
            }
        });
        Ok(Self {
            address,
            connections,
            accepting,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What came on each connection, oldest first.
    pub fn received(&self) -> Vec<Vec<u8>> {
        let connections = lock(&self.connections);
        connections
            .iter()
            .map(|received| lock(received).clone())
            .collect()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn pass_on(client: TcpStream, server: SocketAddr, received: Received) -> io::Result<()> {
    client.set_nodelay(true)?;
    let server = TcpStream::connect(server).await?;
    server.set_nodelay(true)?;
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let requests = async {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            let read = from_client.read(&mut buffer).await?;
            if read == 0 {
                return to_server.shutdown().await;
            }
            lock(&received).extend_from_slice(&buffer[..read]);
            to_server.write_all(&buffer[..read]).await?;
        }
    };
    let responses = async {
        tokio::io::copy(&mut from_server, &mut to_client).await?;
        to_client.shutdown().await
    };
    tokio::try_join!(requests, responses).map(drop)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
