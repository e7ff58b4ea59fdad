//! A mail server with programmable faults.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio::task::{JoinHandle, JoinSet};

/// A point in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpStage {
    /// The first word.
    Greeting,
    /// After `MAIL FROM`.
    Mail,
    /// After `RCPT TO`.
    Rcpt,
    /// After `DATA`.
    Data,
    /// After the whole message.
    End,
}

/// A fault at a stage of the conversation.
#[derive(Debug, Clone, Copy)]
pub enum SmtpFault {
    /// It says this instead.
    Says(&'static str),
    /// It says nothing any more.
    Hangs,
    /// It hangs up.
    HangsUp,
    /// It pauses, and then continues as usual.
    IsSlow(Duration),
}

/// A message that was accepted, perhaps without a reply.
#[derive(Debug, Clone)]
pub struct ReceivedEmail {
    /// The recipient.
    pub to: String,
    /// All of it.
    pub data: String,
}

impl ReceivedEmail {
    /// The value of a header, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let (head, _) = self.data.split_once("\r\n\r\n")?;
        let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        unfolded.split("\r\n").find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    }
}

#[derive(Debug, Default)]
struct Shared {
    received: Mutex<Vec<ReceivedEmail>>,
    /// Faults of the next messages, one each.
    next: Mutex<VecDeque<(SmtpStage, SmtpFault)>>,
    /// Faults of every message to some addresses.
    always: Mutex<Vec<(String, SmtpStage, SmtpFault)>>,
    /// Conversations that hang.
    hanging: AtomicUsize,
}

/// A server on 127.0.0.1, on a thread of its own: it answers also while a test waits for something to end.
#[derive(Debug)]
pub struct SmtpServer {
    address: SocketAddr,
    /// Keeps the port for this server while it does not listen.
    _port: TcpSocket,
    shared: Arc<Shared>,
    runtime: Option<Runtime>,
    task: Option<JoinHandle<()>>,
}

impl SmtpServer {
    /// Starts it; it accepts every message until a fault is added.
    pub async fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let port = bind(SocketAddr::from(([127, 0, 0, 1], 0)));
        let mut server = Self {
            address: port.local_addr().unwrap(),
            _port: port,
            shared: Arc::default(),
            runtime: Some(runtime),
            task: None,
        };
        server.start_again().await;
        server
    }

    /// Its address as a setting.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// Adds a fault to the next message without one.
    pub fn once(&self, stage: SmtpStage, fault: SmtpFault) {
        self.shared.next.lock().unwrap().push_back((stage, fault));
    }

    /// Adds a fault to every message to addresses that contain the text.
    pub fn always_to(&self, text: &str, stage: SmtpStage, fault: SmtpFault) {
        let mut always = self.shared.always.lock().unwrap();
        always.push((text.to_owned(), stage, fault));
    }

    /// How many conversations hang. They go on hanging after `mend`.
    pub fn hanging(&self) -> usize {
        self.shared.hanging.load(Ordering::SeqCst)
    }

    /// From now on all goes well.
    pub fn mend(&self) {
        self.shared.always.lock().unwrap().clear();
        self.shared.next.lock().unwrap().clear();
    }

    /// What it took, in order.
    pub fn received(&self) -> Vec<ReceivedEmail> {
        self.shared.received.lock().unwrap().clone()
    }

    /// Stops listening and closes all connections.
    pub async fn stop(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            let _ = task.await;
        }
    }

    /// Listens again, at the same address.
    pub async fn start_again(&mut self) {
        let runtime = self.runtime.as_ref().unwrap();
        let address = self.address;
        let bound = runtime.spawn(async move { bind(address).listen(1024).unwrap() });
        let listener = bound.await.unwrap();
        self.task = Some(runtime.spawn(accept(listener, self.shared.clone())));
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A socket that shares its port with other sockets of the same kind, and with no others.
fn bind(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.set_reuseport(true).unwrap();
    socket.bind(address).unwrap();
    socket
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut talks = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let shared = shared.clone();
        talks.spawn(async move {
            // A client that disconnects ends the conversation.
            let _ = talk(stream, &shared).await;
        });
    }
}

impl Shared {
    /// The fault of the message to that address, if any.
    fn fate(&self, to: &str) -> Option<(SmtpStage, SmtpFault)> {
        let always = self.always.lock().unwrap();
        let fated = always.iter().find(|(text, ..)| to.contains(text.as_str()));
        fated.map(|(_, stage, fault)| (*stage, *fault))
    }

    fn next_at(&self, stage: SmtpStage) -> Option<SmtpFault> {
        let mut next = self.next.lock().unwrap();
        let here = next.front().is_some_and(|(at, _)| *at == stage);
        if here {
            next.pop_front().map(|(_, fault)| fault)
        } else {
            None
        }
    }
}

async fn talk(stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut to = String::new();
    if answer(&mut stream, shared, SmtpStage::Greeting, &to, "220 prueba").await? == Talk::Over {
        return Ok(());
    }
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let command = line.trim_end().to_owned();
        let upper = command.to_ascii_uppercase();
        let (stage, good) = match upper.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => (None, "250-prueba\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES"),
            "MAIL" => (Some(SmtpStage::Mail), "250 2.1.0 ok"),
            "RCPT" => {
                to = command["RCPT TO:<".len()..].trim_end_matches('>').to_owned();
                (Some(SmtpStage::Rcpt), "250 2.1.5 ok")
            }
            "DATA" => (Some(SmtpStage::Data), "354 go on"),
            "QUIT" => {
                stream.write_all(b"221 adios\r\n").await?;
                return Ok(());
            }
            _ => (None, "250 ok"),
        };
        let Some(stage) = stage else {
            stream.write_all(format!("{good}\r\n").as_bytes()).await?;
            continue;
        };
        let talk = answer(&mut stream, shared, stage, &to, good).await?;
        if talk == Talk::Over {
            return Ok(());
        }
        if stage == SmtpStage::Data && talk == Talk::Good {
            let Some(data) = message(&mut stream).await? else {
                return Ok(());
            };
            let refused = shared.fate(&to).filter(|(at, _)| *at == SmtpStage::End);
            let upcoming = shared.next.lock().unwrap().front().copied();
            let fault = refused.or(upcoming.filter(|(at, _)| *at == SmtpStage::End));
            // Only a server that says no has not taken it.
            if !matches!(fault, Some((_, SmtpFault::Says(_)))) {
                shared
                    .received
                    .lock()
                    .unwrap()
                    .push(ReceivedEmail { to: to.clone(), data });
            }
            if answer(&mut stream, shared, SmtpStage::End, &to, "250 2.0.0 taken").await? == Talk::Over {
                return Ok(());
            }
        }
    }
}

/// What the server does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Talk {
    Good,
    Refused,
    Over,
}

/// Responds as the protocol requires, unless there is a fault at this stage.
async fn answer(
    stream: &mut BufReader<TcpStream>,
    shared: &Shared,
    stage: SmtpStage,
    to: &str,
    good: &str,
) -> std::io::Result<Talk> {
    let fated = shared
        .fate(to)
        .filter(|(at, _)| *at == stage && stage != SmtpStage::Mail);
    let fault = fated.map(|(_, fault)| fault).or_else(|| shared.next_at(stage));
    let (said, talk) = match fault {
        None => (good, Talk::Good),
        Some(SmtpFault::Says(said)) => (said, Talk::Refused),
        Some(SmtpFault::Hangs) => {
            shared.hanging.fetch_add(1, Ordering::SeqCst);
            std::future::pending().await
        }
        Some(SmtpFault::HangsUp) => return Ok(Talk::Over),
        Some(SmtpFault::IsSlow(pause)) => {
            tokio::time::sleep(pause).await;
            (good, Talk::Good)
        }
    };
    stream.write_all(format!("{said}\r\n").as_bytes()).await?;
    Ok(talk)
}

async fn message(stream: &mut BufReader<TcpStream>) -> std::io::Result<Option<String>> {
    let mut data = String::new();
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        if line == ".\r\n" {
            return Ok(Some(data));
        }
        data.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
