//! Tokens of browsers that have signed in to an account before, each with a 256-bit MAC. A token grants no
//! access: it exempts its browser from the limits that other people's guesses trigger.

use super::{Panel, keyed};
use crate::shared::secrets::SystemRandom;
use data_encoding::BASE64URL_NOPAD;
use domain::{Random, Timestamp};
use std::time::Duration;

/// How long a browser is known.
pub(crate) const DEVICE_TTL: Duration = Duration::from_hours(24 * 180);
const NONCE: usize = 16;

impl Panel {
    /// A token for the browser that just signed in to the account.
    pub(super) fn issue_device_token(&self, email: &str, now: Timestamp) -> String {
        let mut nonce = [0; NONCE];
        SystemRandom.fill(&mut nonce);
        let mut token = nonce.to_vec();
        token.extend(now.as_micros().to_be_bytes());
        let mac = self.device_mac(email, &token);
        token.extend(mac);
        BASE64URL_NOPAD.encode(&token)
    }

    /// The identifier of the browser, if the token belongs to the account and has not expired.
    pub(super) fn verify_device_token(
        &self,
        email: &str,
        token: &str,
        now: Timestamp,
    ) -> Option<[u8; NONCE]> {
        let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let (body, mac) = bytes.split_last_chunk::<32>()?;
        let expected = self.device_mac(email, body);
        aws_lc_rs::constant_time::verify_slices_are_equal(&expected, mac).ok()?;
        let (nonce, at) = body.split_first_chunk::<NONCE>()?;
        let at = Timestamp::from_micros(i64::from_be_bytes(at.try_into().ok()?));
        (now < at.after(DEVICE_TTL)).then_some(*nonce)
    }

    fn device_mac(&self, email: &str, body: &[u8]) -> [u8; 32] {
        keyed(&self.devices, &[email.as_bytes(), body])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::secrets::MasterKey;

    #[test]
    fn a_known_browser_is_bound_to_its_account_and_expires() {
        let panel = Panel::new(&MasterKey::from_hex(&"5a".repeat(32)).unwrap());
        let now = Timestamp::from_micros(1_800_000_000_000_000);
        let token = panel.issue_device_token("a@b.co", now);
        assert!(panel.verify_device_token("a@b.co", &token, now).is_some());
        assert_eq!(panel.verify_device_token("c@b.co", &token, now), None);
        assert_eq!(
            panel.verify_device_token("a@b.co", &token, now.after(DEVICE_TTL)),
            None
        );
        assert_eq!(panel.verify_device_token("a@b.co", &token[1..], now), None);
    }
}
