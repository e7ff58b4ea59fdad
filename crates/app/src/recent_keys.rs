//! Keys that were live a moment ago. It is enough to read a request for their bearers; whatever comes of it, the key is
//! looked up once more.

use crate::{Access, Caller, Who};
use domain::{CompanyId, KeyId, Timestamp};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::KeyLookup;

/// How long a key is remembered.
const MOMENT: Duration = Duration::from_secs(1);
/// So many are remembered at the most. Then all are forgotten: those in use are soon there again.
const MOST: usize = 1024;

#[derive(Debug, Default)]
pub(crate) struct RecentKeys(Mutex<HashMap<i64, Seen>>);

#[derive(Debug)]
struct Seen {
    shown: KeyLookup,
    key: KeyId,
    company: CompanyId,
    at: Timestamp,
}

impl RecentKeys {
    /// Remembers a caller who was just admitted by a key.
    pub(crate) fn remember(&self, access: &Access, caller: &Caller, now: Timestamp) {
        let (Access::Presented { key: shown, .. }, Who::Key(key)) = (access, &caller.who) else {
            return;
        };
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= MOST {
            recent.clear();
        }
        let seen = Seen {
            shown: *shown,
            key: *key,
            company: caller.company,
            at: now,
        };
        recent.insert(shown.lookup(), seen);
    }

    /// Who was admitted by the same key a moment ago.
    pub(crate) fn find(&self, access: &Access, now: Timestamp) -> Option<Caller> {
        let Access::Presented { key: shown, address } = access else {
            return None;
        };
        let recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = recent.get(&shown.lookup())?;
        let is_recent = seen.at <= now && now < seen.at.after(MOMENT);
        (is_recent && seen.shown.is_same(shown)).then_some(Caller {
            company: seen.company,
            who: Who::Key(seen.key),
            address: *address,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn access(hash: [u8; 32]) -> Access {
        let key = KeyLookup { hash };
        Access::Presented { key, address: HERE }
    }

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).after(Duration::from_secs(seconds))
    }

    fn caller(number: u8) -> Caller {
        Caller {
            company: CompanyId(number.into()),
            who: Who::Key(KeyId::from_bytes([number; 16])),
            address: HERE,
        }
    }

    #[test]
    fn a_key_is_known_for_a_moment_and_by_all_of_it() {
        let recent = RecentKeys::default();
        recent.remember(&access([1; 32]), &caller(1), at(10));
        let found = recent.find(&access([1; 32]), at(10)).unwrap();
        assert!(
            found.company == CompanyId(1) && matches!(found.who, Who::Key(key) if key.as_bytes() == &[1; 16])
        );
        for (hash, now) in [([2; 32], at(10)), ([1; 32], at(11)), ([1; 32], at(9))] {
            assert!(recent.find(&access(hash), now).is_none(), "{hash:?} {now:?}");
        }
        let mut alike = [1; 32];
        alike[31] = 2;
        assert!(recent.find(&access(alike), at(10)).is_none());
    }

    #[test]
    fn not_more_keys_are_remembered_than_there_is_room_for() {
        let recent = RecentKeys::default();
        for number in 0..=u32::try_from(MOST).unwrap() {
            let mut hash = [0; 32];
            hash[..4].copy_from_slice(&number.to_be_bytes());
            recent.remember(&access(hash), &caller(1), at(10));
            assert!(recent.find(&access(hash), at(10)).is_some());
        }
        assert_eq!(recent.0.lock().unwrap().len(), 1);
    }
}
