//! A mail server that takes everything and says when.

use parts::Result;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Instant;

/// A mail server on 127.0.0.1.
#[derive(Debug)]
pub(crate) struct MailSink {
    port: u16,
    taken: mpsc::Receiver<Instant>,
}

impl MailSink {
    pub(crate) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let (tell, taken) = mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let tell = tell.clone();
                // A client that goes away ends the talk.
                std::thread::spawn(move || talk(stream, &tell));
            }
        });
        Ok(Self { port, taken })
    }

    /// Its address as a setting.
    pub(crate) fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// When the next message was taken, or will have been.
    pub(crate) fn next(&self) -> Result<Instant> {
        let taken = self.taken.recv_timeout(std::time::Duration::from_secs(30));
        taken.map_err(|_| parts::Error::new("a message does not come"))
    }
}

fn talk(stream: TcpStream, tell: &mpsc::Sender<Instant>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut answers = stream.try_clone()?;
    let mut lines = BufReader::new(stream);
    answers.write_all(b"220 sink\r\n")?;
    let (mut line, mut inside) = (String::new(), false);
    loop {
        line.clear();
        if lines.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let answer: &[u8] = match line.trim_end() {
            "." if inside => {
                inside = false;
                let _ = tell.send(Instant::now());
                b"250 taken\r\n"
            }
            _ if inside => continue,
            "DATA" => {
                inside = true;
                b"354 go on\r\n"
            }
            _ => b"250 ok\r\n",
        };
        answers.write_all(answer)?;
    }
}
