//! How soon after the answer to a create its invitations are with the mail server, when nothing else is going on.

use super::DOCUMENT;
use crate::load::Client;
use crate::mail_sink::MailSink;
use crate::report::{Line, Target, median};
use crate::requests::Create;
use crate::servers::Firmeza;
use parts::Result;
use std::time::Instant;

const CREATES: usize = 40;
/// Signers of a create.
const SIGNERS: usize = 2;

pub(super) fn measure() -> Result<Vec<Line>> {
    let sink = MailSink::start()?;
    let firmeza = Firmeza::start_sending(&sink.url())?;
    let create = Create::inviting(&firmeza.key, DOCUMENT);
    let mut client = Client::connect(firmeza.port)?;
    let mut seconds = Vec::with_capacity(CREATES);
    for _ in 0..CREATES {
        create.send(&mut client)?;
        let answered = Instant::now();
        let mut last = answered;
        for _ in 0..SIGNERS {
            last = last.max(sink.next()?);
        }
        seconds.push(last.duration_since(answered).as_secs_f64());
    }
    let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let most = seconds.iter().copied().fold(0.0, f64::max);
    Ok(vec![Line {
        name: "invitation",
        value: median(seconds),
        spread: Some((least, most)),
        unit: " s",
        target: Target::AtMost(0.2),
        detail: "from the answer to a create until the last invitation is taken by SMTP".into(),
    }])
}
