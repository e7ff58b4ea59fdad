//! A mail server of few words.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// How it answers when it is told a recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recipients {
    Accepted,
    Refused,
    /// It never answers.
    Ignored,
}

/// Runs until the test ends.
pub(crate) struct MailServer {
    port: u16,
    state: Arc<State>,
}

struct State {
    recipients: Mutex<Recipients>,
    /// How many it was told and did not answer, and how many messages it took.
    counts: Mutex<(usize, usize)>,
    /// The messages that it took.
    mails: Mutex<Vec<String>>,
}

impl MailServer {
    pub(crate) fn start(recipients: Recipients) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State {
            recipients: Mutex::new(recipients),
            counts: Mutex::default(),
            mails: Mutex::default(),
        });
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = shared.clone();
                std::thread::spawn(move || state.converse(stream));
            }
        });
        Self { port, state }
    }

    /// What `FIRMEZA_SMTP_URL` is set to.
    pub(crate) fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// How it answers from now on.
    pub(crate) fn set(&self, recipients: Recipients) {
        *self.state.recipients.lock().unwrap() = recipients;
    }

    /// Recipients that it was told and did not answer.
    pub(crate) fn ignored(&self) -> usize {
        self.state.counts.lock().unwrap().0
    }

    /// The messages that it took, as they came.
    pub(crate) fn mails(&self) -> Vec<String> {
        self.state.mails.lock().unwrap().clone()
    }

    /// Messages that it took.
    pub(crate) fn taken(&self) -> usize {
        self.state.counts.lock().unwrap().1
    }
}

impl State {
    fn converse(&self, stream: TcpStream) {
        let mut answers = stream.try_clone().unwrap();
        let _ = answers.write_all(b"220 x\r\n");
        let mut inside = false;
        let mut mail = String::new();
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let recipients = *self.recipients.lock().unwrap();
            let answer: &[u8] = match line.as_str() {
                "." if inside => {
                    self.mails.lock().unwrap().push(std::mem::take(&mut mail));
                    self.counts.lock().unwrap().1 += 1;
                    b"250 taken\r\n"
                }
                _ if inside => {
                    mail.push_str(&line);
                    mail.push_str("\r\n");
                    continue;
                }
                "DATA" => b"354 go on\r\n",
                rcpt if rcpt.starts_with("RCPT") => match recipients {
                    Recipients::Accepted => b"250 ok\r\n",
                    Recipients::Refused => b"550 nobody here\r\n",
                    Recipients::Ignored => {
                        self.counts.lock().unwrap().0 += 1;
                        continue;
                    }
                },
                _ => b"250 ok\r\n",
            };
            inside = line == "DATA";
            if answers.write_all(answer).is_err() {
                break;
            }
        }
    }
}
