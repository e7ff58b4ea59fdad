//! What an API key may be used for.

use std::fmt;
use std::str::FromStr;

/// One thing that an API key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Create folios.
    Create,
    /// Read folios and bulk signatures.
    Read,
    /// Download documents.
    Download,
    /// Change what exists: resend emails, cancel folios, start bulk signatures.
    Act,
    /// Download evidence.
    Evidence,
}

impl Permission {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Create,
        Self::Read,
        Self::Download,
        Self::Act,
        Self::Evidence,
    ];

    /// The word for it, on the command line, in forms and in the database.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Read => "read",
            Self::Download => "download",
            Self::Act => "act",
            Self::Evidence => "evidence",
        }
    }

    /// The permission with that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|permission| permission.word() == word)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What a key may be used for: one permission or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permissions(u8);

/// A text that is no list of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("permissions are one or more of create, read, download, act and evidence, separated by commas")]
pub struct UnknownPermission;

impl Permissions {
    /// Everything.
    pub const ALL: Self = Self((1 << Permission::ALL.len()) - 1);

    /// These permissions; `None` if there are none.
    pub fn new(permissions: impl IntoIterator<Item = Permission>) -> Option<Self> {
        let bits = permissions
            .into_iter()
            .fold(0, |bits, permission| bits | permission.bit());
        (bits != 0).then_some(Self(bits))
    }

    /// Whether the permission is one of them.
    pub const fn allow(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    /// The permissions, in their usual order.
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        let all = Permission::ALL.into_iter();
        all.filter(move |permission| self.allow(*permission))
    }
}

impl fmt::Display for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(Permission::word).collect();
        f.pad(&words.join(","))
    }
}

impl FromStr for Permissions {
    type Err = UnknownPermission;

    fn from_str(text: &str) -> Result<Self, UnknownPermission> {
        let words = text.split(',').map(str::trim);
        let known = words.map(Permission::from_word).collect::<Option<Vec<_>>>();
        known.and_then(Self::new).ok_or(UnknownPermission)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_is_written() {
        for permission in Permission::ALL {
            let alone = Permissions::new([permission]).unwrap();
            assert_eq!(alone.to_string(), permission.word());
            assert_eq!(permission.word().parse(), Ok(alone));
            for other in Permission::ALL {
                assert_eq!(
                    alone.allow(other),
                    other == permission,
                    "{permission:?} {other:?}"
                );
            }
        }
        let all = "create,read,download,act,evidence";
        assert_eq!(Permissions::ALL.to_string(), all);
        assert_eq!(all.parse(), Ok(Permissions::ALL));
        let two = Permissions::new([Permission::Read, Permission::Create]).unwrap();
        assert_eq!(two.to_string(), "create,read");
        assert_eq!("read, create,read".parse(), Ok(two));
    }

    #[test]
    fn there_is_no_list_without_permissions_or_with_unknown_ones() {
        assert_eq!(Permissions::new([]), None);
        for wrong in ["", ",", "create,", "Create", "write", "create;read", "all"] {
            assert_eq!(wrong.parse::<Permissions>(), Err(UnknownPermission), "{wrong:?}");
        }
    }
}
