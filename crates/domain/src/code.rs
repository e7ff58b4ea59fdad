//! One-time codes: what they look like, how long they are good, how often they may be guessed.

use crate::folio::state::SignatureType;
use crate::ids::{CodeId, Random};
use crate::limits;
use crate::message::Channel;
use crate::time::Timestamp;
use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Six digits, sent to the signer alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code(…)")
    }
}

impl Code {
    /// A new code, every one as likely as the others.
    pub fn random(random: &mut dyn Random) -> Self {
        // The largest multiple of a million that four bytes hold: beyond it, some codes would be likelier.
        const FAIR: u32 = u32::MAX / 1_000_000 * 1_000_000;
        loop {
            let mut bytes = [0; 4];
            random.fill(&mut bytes);
            let number = u32::from_be_bytes(bytes);
            if number < FAIR {
                return Self(format!("{:06}", number % 1_000_000));
            }
        }
    }

    /// What a person typed: six digits, with blanks or hyphens between them or not.
    pub fn typed(text: &str) -> Option<Self> {
        let digits: String = text
            .chars()
            .filter(|c| !(c.is_whitespace() || *c == '-'))
            .take(7)
            .collect();
        (digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_digit())).then_some(Self(digits))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What the history says of a code that was made: its name, and a hash of it. Without the salt, which is secret until the code
/// was used, the hash tells nothing of the six digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeCommitment {
    /// The name of the code.
    pub code: CodeId,
    /// SHA-256 over the 16 bytes of the salt and the six digits, hexadecimal.
    pub code_hash: String,
}

/// A code that was used. It opens nothing any more: what it was may be known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UsedCode {
    /// The name of the code.
    pub code: CodeId,
    /// The salt of its hash, hexadecimal.
    pub code_salt: String,
    /// The six digits.
    pub code_digits: String,
}

impl CodeCommitment {
    /// What is said of a code when it is made.
    pub fn new(code: CodeId, salt: &[u8; 16], digits: &Code) -> Self {
        Self {
            code,
            code_hash: commitment(salt, digits.as_str()),
        }
    }
}

impl UsedCode {
    /// What is said of a code when it was used.
    pub fn new(code: CodeId, salt: &[u8; 16], digits: &Code) -> Self {
        Self {
            code,
            code_salt: HEXLOWER.encode(salt),
            code_digits: digits.as_str().to_owned(),
        }
    }
}

/// The hash of a code under a salt, hexadecimal.
pub fn commitment(salt: &[u8], digits: &str) -> String {
    let hash = Sha256::new().chain_update(salt).chain_update(digits.as_bytes());
    HEXLOWER.encode(&hash.finalize())
}

impl Channel {
    /// How long a code is good that travels this way.
    pub const fn code_lifetime(self) -> Duration {
        match self {
            Self::Email => limits::EMAIL_CODE_LIFETIME,
            Self::Sms => limits::SMS_CODE_LIFETIME,
        }
    }
}

impl SignatureType {
    /// How its codes travel.
    pub const fn channel(self) -> Channel {
        match self {
            Self::EmailCode => Channel::Email,
            Self::SmsCode => Channel::Sms,
        }
    }
}

/// What is known of the last code that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentCode {
    /// When.
    pub sent_at: Timestamp,
    /// Until when it is good.
    pub expires_at: Timestamp,
    /// How often it was tried.
    pub tries: usize,
}

impl SentCode {
    /// Whether it may still be tried. If the clock went back since it was sent, its age is unknown.
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at && !self.sent_at.is_ahead_of(now) && self.tries < limits::CODE_TRIES
    }

    /// Tries that are left.
    pub const fn tries_left(&self) -> usize {
        limits::CODE_TRIES.saturating_sub(self.tries)
    }
}

/// How long until the next code may be sent to a signer, by when the codes of the last day were sent. The pauses grow,
/// and after [`limits::CODES_A_DAY`] the first of them must be a day old.
pub fn wait_for_next_code(sent: &[Timestamp], now: Timestamp) -> Option<Duration> {
    let mut sent = within_a_day(sent, now);
    sent.sort_unstable();
    let last = *sent.last()?;
    let next = match sent.len().checked_sub(limits::CODES_A_DAY) {
        Some(over) => sent[over].after(limits::CODES_DAY),
        None => last.after(limits::CODE_PAUSES[(sent.len() - 1).min(limits::CODE_PAUSES.len() - 1)]),
    };
    (now < next).then(|| next.since(now))
}

/// How long until the next code may be sent to an address or number, by when those of the last day were sent to it.
/// A limit of 0 is none.
pub fn wait_for_recipient(sent: &[Timestamp], limit: usize, now: Timestamp) -> Option<Duration> {
    let mut sent = within_a_day(sent, now);
    sent.sort_unstable();
    let over = sent.len().checked_sub(limit).filter(|_| limit > 0)?;
    Some(sent[over].after(limits::CODES_DAY).since(now))
}

/// Whether every code of the day was sent.
pub fn are_codes_used_up(sent: &[Timestamp], now: Timestamp) -> bool {
    within_a_day(sent, now).len() >= limits::CODES_A_DAY
}

fn within_a_day(sent: &[Timestamp], now: Timestamp) -> Vec<Timestamp> {
    let recent = |at: &&Timestamp| now < at.after(limits::CODES_DAY) && !at.is_ahead_of(now);
    sent.iter().filter(recent).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

    struct Fixed(Vec<u8>);

    impl Random for Fixed {
        fn fill(&mut self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.0.drain(..bytes.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn codes_are_six_digits_and_fair() {
        let small = Code::random(&mut Fixed(vec![0, 0, 0, 7]));
        assert_eq!(small.as_str(), "000007");
        let drawn_again = Code::random(&mut Fixed(vec![255, 255, 255, 255, 0, 0, 1, 0]));
        assert_eq!(drawn_again.as_str(), "000256");
    }

    #[test]
    fn typed_codes_may_have_blanks() {
        assert_eq!(Code::typed(" 123 456\n").map(|c| c.0), Some("123456".into()));
        assert_eq!(Code::typed("123-456").map(|c| c.0), Some("123456".into()));
        for bad in ["", "12345", "1234567", "12345a", "１２３４５６"] {
            assert_eq!(Code::typed(bad), None, "{bad}");
        }
    }

    struct Sequence(Vec<u32>);

    impl Random for Sequence {
        fn fill(&mut self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.0.remove(0).to_be_bytes());
        }
    }

    #[test]
    fn every_code_is_as_likely_as_the_others() {
        // 4294 codes for each million; the numbers beyond them are thrown away.
        let code = |numbers: &[u32]| Code::random(&mut Sequence(numbers.to_vec())).0;
        assert_eq!(code(&[4_294_000_000, u32::MAX, 7]), "000007");
        assert_eq!(code(&[4_293_999_999]), "999999");
    }

    #[test]
    fn a_code_is_not_written_into_logs() {
        assert_eq!(format!("{:?}", Code("123456".into())), "Code(…)");
    }

    #[test]
    fn a_code_lives_for_its_time_and_its_tries() {
        let code = |tries| SentCode {
            sent_at: NOW,
            expires_at: NOW.after(Channel::Sms.code_lifetime()),
            tries,
        };
        assert!(code(4).is_live(NOW));
        assert!(!code(5).is_live(NOW));
        assert_eq!([0, 3, 5, 6].map(|tries| code(tries).tries_left()), [5, 2, 0, 0]);
        assert!(!code(0).is_live(NOW.after(Duration::from_mins(5))));
    }

    #[test]
    fn pauses_between_codes_grow_and_the_day_has_ten() {
        let minutes = |span: Duration| span.as_secs() / 60;
        let (mut sent, mut now) = (Vec::new(), NOW);
        let mut waited = Vec::new();
        for _ in 0..limits::CODES_A_DAY {
            assert_eq!(wait_for_next_code(&sent, now), None);
            sent.push(now);
            let wait = wait_for_next_code(&sent, now).unwrap();
            waited.push(minutes(wait));
            let almost = now.after(wait.checked_sub(Duration::from_secs(1)).unwrap());
            assert_eq!(
                wait_for_next_code(&sent, almost),
                Some(Duration::from_secs(1)),
                "not a second earlier"
            );
            now = now.after(wait);
        }
        let day = minutes(NOW.after(limits::CODES_DAY).since(sent[9]));
        assert_eq!(waited, [1, 1, 2, 5, 15, 60, 60, 60, 60, day]);
        assert!(are_codes_used_up(&sent, sent[9]));
        assert!(!are_codes_used_up(&sent, NOW.after(limits::CODES_DAY)));
        assert_eq!(
            wait_for_next_code(&sent[..1], NOW.after(Duration::from_hours(25))),
            None
        );
    }

    #[test]
    fn nobody_waits_for_a_code_because_the_clock_went_back() {
        for back in [Duration::from_hours(1), Duration::from_hours(48)] {
            let now = NOW.before(back);
            let sent = [NOW; 30];
            assert_eq!(wait_for_next_code(&sent, now), None);
            assert_eq!(
                wait_for_recipient(&sent, limits::CODES_TO_RECIPIENT_A_DAY, now),
                None
            );
            assert!(!are_codes_used_up(&sent, now));
            let code = SentCode {
                sent_at: NOW,
                expires_at: NOW.after(Channel::Email.code_lifetime()),
                tries: 0,
            };
            assert!(!code.is_live(now), "it would live for longer than it may");
        }
        let a_little = NOW.before(limits::MAX_CLOCK_SKEW);
        assert!(
            wait_for_next_code(&[NOW], a_little).is_some(),
            "clocks differ a little"
        );
    }

    #[test]
    fn an_address_gets_twenty_codes_a_day() {
        let sent: Vec<_> = (0..20).map(|n| NOW.after(Duration::from_mins(n))).collect();
        let last = sent[19];
        let wait = |sent: &[Timestamp], now| wait_for_recipient(sent, limits::CODES_TO_RECIPIENT_A_DAY, now);
        assert_eq!(wait(&sent[1..], last), None);
        assert_eq!(wait(&sent, last), Some(NOW.after(limits::CODES_DAY).since(last)));
        assert_eq!(wait(&sent, NOW.after(limits::CODES_DAY)), None);
        assert_eq!(wait_for_recipient(&sent, 0, last), None);
    }
}
