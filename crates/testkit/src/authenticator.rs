//! An authenticator app (TOTP).

use app::panel::totp;
use domain::Timestamp;

/// The app, with one account in it.
#[derive(Debug, Clone)]
pub struct Authenticator(Vec<u8>);

impl Authenticator {
    /// Takes the key as a page spells it.
    pub fn with_key(spelt: &str) -> Self {
        const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
        let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
        for c in spelt.chars().filter(|c| !c.is_whitespace()) {
            bits = bits << 5 | u32::try_from(DIGITS.find(c).unwrap()).unwrap();
            count += 5;
            if count >= 8 {
                count -= 8;
                bytes.push(u8::try_from(bits >> count & 255).unwrap());
            }
        }
        Self(bytes)
    }

    /// The code that it shows at that time.
    pub fn code(&self, at: Timestamp) -> String {
        totp::code(&self.0, at.as_micros() / 1_000_000 / 30)
    }
}
