//! How long after an instance was killed another one has done what the dead one had begun.

use crate::load::Client;
use crate::mail_sink::MailSink;
use crate::pdf::DOCUMENT;
use crate::report::{Line, Target, median};
use crate::requests::Create;
use crate::servers::Firmeza;
use crate::services::Services;
use parts::Result;
use std::net::TcpListener;
use std::time::Instant;

const KILLS: usize = 5;
/// Signers of a create.
const SIGNERS: usize = 2;

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    let services = Services::start()?;
    let first = Firmeza::start_on(services.backend("ours")?)?;
    let sink = MailSink::start()?;
    let mut seconds = Vec::with_capacity(KILLS);
    for _ in 0..KILLS {
        // A mail server that takes connections and says nothing: the instance holds its messages for as long as it lives.
        let silent = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("smtp://{}", silent.local_addr()?);
        let mut dying = first.join(Some(&address))?;
        let create = Create::inviting(&dying.key, DOCUMENT);
        create.send(&mut Client::connect(dying.port)?)?;
        let _held: Vec<_> = (0..SIGNERS).map(|_| silent.accept()).collect();
        let mut other = first.join(Some(&sink.url()))?;
        dying.kill()?;
        let killed = Instant::now();
        let mut last = killed;
        for _ in 0..SIGNERS {
            last = last.max(sink.next()?);
        }
        // In good order: what it has sent is noted, and no later round gets it again.
        other.stop()?;
        seconds.push(last.duration_since(killed).as_secs_f64());
    }
    let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let most = seconds.iter().copied().fold(0.0, f64::max);
    Ok(vec![Line {
        name: "takeover",
        value: median(seconds),
        spread: Some((least, most)),
        unit: " s",
        target: Target::AtMost(15.0),
        detail: "from kill -9 of an instance until another has sent the messages that it held".into(),
    }])
}
