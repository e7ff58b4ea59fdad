//! One-time codes: what they look like, how long they are good, how often they may be guessed.

use crate::folio::SignatureType;
use crate::ids::Random;
use crate::limits;
use crate::message::Channel;
use crate::time::Timestamp;
use std::time::Duration;

/// Six digits, known to nobody but who receives them.
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
    /// Whether it may still be tried.
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at && self.tries < limits::CODE_TRIES
    }

    /// How long until another may be sent.
    pub fn pause_left(&self, now: Timestamp) -> Option<Duration> {
        let next = self.sent_at.after(limits::CODE_PAUSE);
        (now < next).then(|| next.since(now))
    }

    /// Tries that are left.
    pub const fn tries_left(&self) -> usize {
        limits::CODE_TRIES.saturating_sub(self.tries)
    }
}

/// How often a holder of codes guessed wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Guesses {
    /// Wrong ones since the last right one or resend.
    pub failures: usize,
    /// Until when no further guess is heard.
    pub locked_until: Option<Timestamp>,
}

impl Guesses {
    /// Until when the holder is locked, if so now.
    pub fn locked(&self, now: Timestamp) -> Option<Timestamp> {
        self.locked_until.filter(|until| now < *until)
    }

    /// One more wrong guess.
    #[must_use]
    pub fn wrong(self, now: Timestamp) -> Self {
        // A lock that has run out gives a fresh start; one that holds goes on.
        let over = self.locked_until.is_some_and(|until| until <= now);
        let before = if over { 0 } else { self.failures };
        let failures = before + 1;
        Self {
            failures,
            locked_until: (failures >= limits::FAILURES).then(|| now.after(limits::LOCK)),
        }
    }
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

    #[test]
    fn a_code_lives_for_its_time_and_its_tries() {
        let code = |tries| SentCode {
            sent_at: NOW,
            expires_at: NOW.after(Channel::Sms.code_lifetime()),
            tries,
        };
        assert!(code(4).is_live(NOW));
        assert!(!code(5).is_live(NOW));
        assert!(!code(0).is_live(NOW.after(Duration::from_mins(5))));
        assert_eq!(
            code(0).pause_left(NOW.after(Duration::from_secs(59))),
            Some(Duration::from_secs(1))
        );
        assert_eq!(code(0).pause_left(NOW.after(Duration::from_mins(1))), None);
    }

    #[test]
    fn twenty_wrong_codes_lock_for_a_day() {
        let mut guesses = Guesses::default();
        for _ in 0..19 {
            guesses = guesses.wrong(NOW);
        }
        assert_eq!(guesses.locked(NOW), None);
        guesses = guesses.wrong(NOW);
        assert_eq!(guesses.locked(NOW), Some(NOW.after(Duration::from_hours(24))));
        assert!(guesses.wrong(NOW).locked(NOW).is_some(), "one more opens nothing");
        let later = NOW.after(Duration::from_hours(24));
        assert_eq!(guesses.locked(later), None);
        assert_eq!(guesses.wrong(later).failures, 1);
    }
}
