//! Pauses after wrong passwords and codes. The pauses of a guesser grow; other people wait a short time at
//! most.
//!
//! Tries are counted by scope: the network address, or the browser if it has signed in to the account
//! before. Guesses of others, even from one network, do not delay a known browser. The limits of a whole
//! account and of a network with tries at many accounts do not apply to it either.

use super::{Panel, keyed};
use crate::Error;
use crate::shared::networks::network_of;
use domain::{FolioId, Timestamp, VisitorId};
use std::net::IpAddr;
use std::time::Duration;
use store::{FailureCount, Tx};

/// How failures turn into waiting.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// Failures that cost nothing.
    free: i64,
    /// What the next one costs; each after it twice as much.
    first: Duration,
    longest: Duration,
    /// How long a failure is remembered when none follows.
    memory: Duration,
    /// Whether several accounts share the scope. A success of one does not reset the others' failures.
    shared: bool,
}

/// A scope in which tries are counted, and its rule.
pub(crate) type ScopeRule = ([u8; 32], Rule);

/// A try that was counted.
#[derive(Debug, Clone)]
pub(crate) struct CountedTry {
    scope_rules: Vec<ScopeRule>,
    /// What was counted before it.
    before: Vec<FailureCount>,
    at: Timestamp,
}

/// Passwords, by account and place.
pub(super) const PASSWORD_PER_SOURCE: Rule = Rule {
    free: 5,
    first: Duration::from_secs(5),
    longest: Duration::from_mins(15),
    memory: Duration::from_hours(24),
    shared: false,
};
/// Passwords, by account.
pub(super) const PASSWORD_PER_ACCOUNT: Rule = Rule {
    free: 20,
    first: Duration::from_secs(5),
    longest: Duration::from_secs(30),
    memory: Duration::from_mins(15),
    shared: false,
};
/// Passwords, by network, whatever the account: against an attacker who tries one password on many accounts.
pub(super) const PASSWORD_PER_NETWORK: Rule = Rule {
    free: 60,
    first: Duration::from_secs(5),
    longest: Duration::from_mins(5),
    memory: Duration::from_hours(1),
    shared: true,
};
/// Codes, by account. The password was right before a code is asked for.
pub(super) const CODE_PER_ACCOUNT: Rule = Rule {
    free: 5,
    first: Duration::from_secs(30),
    longest: Duration::from_mins(15),
    memory: Duration::from_hours(24),
    shared: false,
};

/// Links to choose a password, by account: three, and then one an hour.
pub(super) const RESET_PER_ACCOUNT: Rule = Rule {
    free: 3,
    first: Duration::from_hours(1),
    longest: Duration::from_hours(1),
    memory: Duration::from_hours(1),
    shared: false,
};
/// The same by network address.
pub(super) const RESET_PER_SOURCE: Rule = Rule {
    free: 30,
    shared: true,
    ..RESET_PER_ACCOUNT
};

/// Numbers of identity documents on a folio's address, by folio, network and browser.
const IDENTIFY_PER_BROWSER: Rule = Rule {
    free: 5,
    first: Duration::from_secs(30),
    longest: Duration::from_hours(1),
    memory: Duration::from_hours(24),
    shared: false,
};
/// The same by folio and network: a program that takes a new cookie for each guess waits, too.
const IDENTIFY_PER_NETWORK: Rule = Rule {
    free: 20,
    ..IDENTIFY_PER_BROWSER
};

/// How long anything is remembered.
pub(crate) const FAILURE_RETENTION: Duration = Duration::from_hours(24);

impl Rule {
    /// How long is still to be waited.
    fn wait(&self, count: FailureCount, now: Timestamp) -> Option<Duration> {
        let beyond = u32::try_from(count.failures.checked_sub(self.free)?).ok()?;
        let pause = self
            .first
            .saturating_mul(2_u32.saturating_pow(beyond))
            .min(self.longest);
        let until = count.last_at.after(pause);
        (now < until && !count.last_at.is_ahead_of(now)).then(|| until.since(now))
    }

    fn count(&self, count: FailureCount, now: Timestamp) -> FailureCount {
        let forgotten = count.last_at.after(self.memory) < now;
        FailureCount {
            failures: if forgotten { 1 } else { count.failures + 1 },
            last_at: now,
            ..count
        }
    }
}

/// Counts a try in each of these scopes before its outcome is known: concurrent tries are counted one by
/// one. If a scope is paused, nothing is counted.
pub(super) fn count_try(
    tx: &mut Tx<'_>,
    scope_rules: &[ScopeRule],
    now: Timestamp,
) -> Result<CountedTry, Error> {
    let before = tx.lock_failures(&scopes(scope_rules), now)?;
    let known = || before.iter().zip(scope_rules);
    let waits = known().filter_map(|(count, (_, rule))| rule.wait(*count, now));
    if let Some(retry_after) = waits.max() {
        return Err(Error::TooOften { retry_after });
    }
    let counted: Vec<_> = known()
        .map(|(count, (_, rule))| rule.count(*count, now))
        .collect();
    tx.set_failures(&counted)?;
    Ok(CountedTry {
        scope_rules: scope_rules.to_vec(),
        before,
        at: now,
    })
}

/// Takes back one try that was no failure; earlier failures stay. It causes no pause.
pub(super) fn take_back(tx: &mut Tx<'_>, tried: &CountedTry) -> Result<(), Error> {
    let mut counts = tx.lock_failures(&scopes(&tried.scope_rules), tried.at)?;
    for (count, before) in counts.iter_mut().zip(&tried.before) {
        count.failures = (count.failures - 1).max(0);
        if count.last_at == tried.at {
            count.last_at = before.last_at;
        }
    }
    Ok(tx.set_failures(&counts)?)
}

/// Locks the counters of a try and stores them unchanged.
pub(super) fn touch(tx: &mut Tx<'_>, tried: &CountedTry) -> Result<(), Error> {
    let counts = tx.lock_failures(&scopes(&tried.scope_rules), tried.at)?;
    Ok(tx.set_failures(&counts)?)
}

/// Deletes the failures of an account after a success. In shared scopes only the one try is taken back.
pub(super) fn reset_failures(tx: &mut Tx<'_>, tried: &CountedTry) -> Result<(), Error> {
    // All of them first, in one order with those who count.
    take_back(tx, tried)?;
    Ok(tx.reset_failures(&own_scopes(&tried.scope_rules))?)
}

/// The scopes of this account alone.
pub(super) fn own_scopes(scope_rules: &[ScopeRule]) -> Vec<[u8; 32]> {
    let own = scope_rules.iter().filter(|(_, rule)| !rule.shared);
    own.map(|(scope, _)| *scope).collect()
}

fn scopes(scope_rules: &[ScopeRule]) -> Vec<[u8; 32]> {
    scope_rules.iter().map(|(scope, _)| *scope).collect()
}

impl Panel {
    /// The scope of a browser that has signed in to the account before.
    pub(super) fn device_scope(&self, email: &str, device: &[u8]) -> [u8; 32] {
        keyed(&self.scopes, &[b"device", email.as_bytes(), device])
    }

    /// The scope of an unknown browser. An IPv6 customer has millions of addresses, so it is a network.
    pub(super) fn address_scope(&self, email: &str, address: IpAddr) -> [u8; 32] {
        keyed(
            &self.scopes,
            &[b"address", email.as_bytes(), &network_of(address)],
        )
    }

    /// The scope of a network, over all accounts.
    pub(super) fn network_scope(&self, address: IpAddr) -> [u8; 32] {
        keyed(&self.scopes, &[b"network", &network_of(address)])
    }

    pub(super) fn account_scope(&self, what: &str, email: &str) -> [u8; 32] {
        keyed(&self.scopes, &[what.as_bytes(), email.as_bytes()])
    }
}

/// Counts a number that a visitor gives on a folio's address, before it is compared with the signers'. Browsers without
/// a cookie are counted as one: otherwise a program could leave it out and be a new one each time.
pub(crate) fn count_identification(
    tx: &mut Tx<'_>,
    panel: &Panel,
    folio: FolioId,
    (address, visitor): (IpAddr, Option<VisitorId>),
    now: Timestamp,
) -> Result<CountedTry, Error> {
    let scope = |kind: &[u8], visitor: &[u8]| {
        keyed(
            &panel.scopes,
            &[kind, folio.as_bytes(), &network_of(address), visitor],
        )
    };
    let visitor = visitor.map(|visitor| *visitor.as_bytes());
    let visitor = visitor.as_ref().map_or(&[][..], |visitor| visitor);
    let scope_rules = [
        (scope(b"identification", visitor), IDENTIFY_PER_BROWSER),
        (scope(b"identification from", b""), IDENTIFY_PER_NETWORK),
    ];
    count_try(tx, &scope_rules, now)
}

/// Takes back the one number that was right; the wrong ones before it count on.
pub(crate) fn take_back_identification(tx: &mut Tx<'_>, tried: &CountedTry) -> Result<(), Error> {
    take_back(tx, tried)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

    fn after(failures: i64) -> FailureCount {
        FailureCount {
            scope: [0; 32],
            failures,
            last_at: NOW,
        }
    }

    #[test]
    fn waiting_grows_and_has_an_end() {
        assert_eq!(PASSWORD_PER_SOURCE.wait(after(4), NOW), None);
        assert_eq!(
            PASSWORD_PER_SOURCE.wait(after(5), NOW),
            Some(Duration::from_secs(5))
        );
        assert_eq!(
            PASSWORD_PER_SOURCE.wait(after(8), NOW),
            Some(Duration::from_secs(40))
        );
        assert_eq!(
            PASSWORD_PER_SOURCE.wait(after(5000), NOW),
            Some(Duration::from_mins(15))
        );
        assert_eq!(
            PASSWORD_PER_SOURCE.wait(after(5), NOW.after(Duration::from_secs(5))),
            None
        );
        assert_eq!(
            PASSWORD_PER_ACCOUNT.wait(after(1_000_000), NOW),
            Some(Duration::from_secs(30))
        );
        let went_back = NOW.before(Duration::from_hours(1));
        assert_eq!(PASSWORD_PER_SOURCE.wait(after(5000), went_back), None);
    }

    #[test]
    fn what_is_long_past_counts_no_more() {
        let later = NOW.after(Duration::from_hours(25));
        assert_eq!(PASSWORD_PER_SOURCE.count(after(100), later).failures, 1);
        assert_eq!(PASSWORD_PER_SOURCE.count(after(100), NOW).failures, 101);
    }
}
