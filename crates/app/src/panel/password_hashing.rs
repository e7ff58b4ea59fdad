//! Passwords: argon2id with the parameters that OWASP asks for, off the async threads, a few at a time.

use super::password_strength::{self, PasswordOwner, WeakPassword};
use crate::Error;
use crate::shared::admission::{AdmissionLimits, AdmissionQueue};
use crate::shared::secrets::SystemRandom;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use domain::Random;
use domain::limits::{PASSWORD_MAX, PASSWORD_MIN};
use std::sync::LazyLock;
use std::time::Duration;
use unicode_normalization::UnicodeNormalization;

/// Memory in KiB, passes, lanes: the second of OWASP's equivalent choices, and the one it names first for servers.
const ARGON2_COST: (u32, u32, u32) = (19_456, 2, 1);
/// A hash takes 19 MiB and a processor: few run at the same time. A full queue takes seconds, and longer where the
/// processors have other work.
const HASHING_LIMITS: AdmissionLimits = AdmissionLimits {
    running: 4,
    admitted: 256,
    timeout: Duration::from_secs(30),
};

/// A password that passed the strength check.
#[derive(Clone)]
pub struct Password(String);

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(…)")
    }
}

impl Password {
    /// Takes a password for that user, unless it is guessed easily.
    pub fn new(text: &str, owner: &PasswordOwner) -> Result<Self, WeakPassword> {
        // One character more than the limit shows that the text is too long.
        let text: String = text.nfkc().take(PASSWORD_MAX + 1).collect();
        let length = text.chars().count();
        if length < PASSWORD_MIN {
            return Err(WeakPassword::Short);
        }
        if length > PASSWORD_MAX {
            return Err(WeakPassword::Long);
        }
        password_strength::check(&text, owner)?;
        Ok(Self(text))
    }

    /// A random password, for a user to read off a screen.
    pub fn random(random: &mut dyn Random) -> Self {
        let mut bytes = [0; 10];
        random.fill(&mut bytes);
        let text = data_encoding::BASE32.encode(&bytes).to_lowercase();
        let parts: Vec<&str> = text
            .as_bytes()
            .chunks(4)
            .filter_map(|part| std::str::from_utf8(part).ok())
            .collect();
        Self(parts.join("-"))
    }

    /// The text to hand over, once.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Hashes and checks passwords. Clones share the permits.
#[derive(Debug, Clone)]
pub(crate) struct Passwords {
    queue: AdmissionQueue,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            queue: AdmissionQueue::new(HASHING_LIMITS),
        }
    }
}

impl Passwords {
    /// Takes a password as [`Password::new`] does, off the async threads.
    pub(crate) async fn check(
        &self,
        text: String,
        owner: PasswordOwner,
    ) -> Result<Result<Password, WeakPassword>, Error> {
        self.run_blocking(move || Password::new(&text, &owner)).await
    }

    /// The hash to keep.
    pub(crate) async fn hash(&self, password: Password) -> Result<String, Error> {
        self.run_blocking(move || hash(password.0.as_bytes())).await?
    }

    /// Whether the password matches. Without a stored hash this takes as long and returns false.
    pub(crate) async fn verify(&self, kept: Option<String>, typed: String) -> Result<bool, Error> {
        self.run_blocking(move || {
            let typed: String = typed.nfkc().take(PASSWORD_MAX + 1).collect();
            let there = kept.is_some();
            let kept = kept.as_deref().unwrap_or(&PLACEHOLDER_HASH);
            let kept = PasswordHash::new(kept).map_err(broken)?;
            let same = argon2()?.verify_password(typed.as_bytes(), &kept).is_ok();
            Ok(same && there)
        })
        .await?
    }

    async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let permit = self.queue.acquire().await?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        done.await.map_err(|error| Error::Internal(error.into()))
    }
}

/// The hash that is compared for unknown addresses, so that they take as long as known ones.
static PLACEHOLDER_HASH: LazyLock<String> = LazyLock::new(|| hash(b"nobody's").unwrap_or_default());

fn argon2() -> Result<Argon2<'static>, Error> {
    let (memory, passes, lanes) = ARGON2_COST;
    let params = Params::new(memory, passes, lanes, None).map_err(broken)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &[u8]) -> Result<String, Error> {
    let mut salt = [0; 16];
    SystemRandom.fill(&mut salt);
    let hash = argon2()?
        .hash_password_with_salt(password, &salt)
        .map_err(broken)?;
    Ok(hash.to_string())
}

fn broken(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Internal(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner() -> PasswordOwner {
        PasswordOwner {
            email: "maria.perez@example.com".to_owned(),
            ..PasswordOwner::default()
        }
    }

    #[test]
    fn a_password_has_a_length_and_is_not_obvious() {
        let new = |text: &str| Password::new(text, &owner()).map(drop);
        assert_eq!(new("tres tristes tigres"), Ok(()));
        assert_eq!(new("corta"), Err(WeakPassword::Short));
        assert_eq!(new(&"larga ".repeat(30)), Err(WeakPassword::Long));
        assert_eq!(new("Colombia2026"), Err(WeakPassword::Common));
        for _ in 0..100 {
            let random = Password::random(&mut SystemRandom);
            assert!(Password::new(random.reveal(), &owner()).is_ok(), "{random:?}");
            assert_eq!(random.reveal().len(), 19);
        }
    }

    #[tokio::test]
    async fn a_hash_knows_its_password_however_accents_are_written() {
        let passwords = Passwords::default();
        let password = Password::new("Bogot\u{e1} es fr\u{ed}a", &owner()).unwrap();
        let kept = passwords.hash(password).await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        let is = |typed: &str| passwords.verify(Some(kept.clone()), typed.to_owned());
        assert!(is("Bogota\u{301} es fri\u{301}a").await.unwrap());
        assert!(!is("Bogota es fria").await.unwrap());
        assert!(!passwords.verify(None, "nobody's".to_owned()).await.unwrap());
    }
}
