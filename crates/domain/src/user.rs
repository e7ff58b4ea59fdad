//! Users of a company who sign in to the panel, and what each may do there.

use std::fmt;
use std::str::FromStr;

/// What a user may do. Each may do what the one before may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sees folios, documents, histories and evidence.
    Reader,
    /// Also creates folios, resends, cancels and approves.
    Supervisor,
    /// Also drops folios, and looks after keys, users and the company.
    Administrator,
}

/// A text that names no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a role is administrator, supervisor or reader")]
pub struct UnknownRole;

impl Role {
    /// All of them, from the least.
    pub const ALL: [Self; 3] = [Self::Reader, Self::Supervisor, Self::Administrator];

    /// The word for it, on the command line and in the database.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Supervisor => "supervisor",
            Self::Administrator => "administrator",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        let known = Self::ALL.into_iter().find(|role| role.word() == text);
        known.ok_or(UnknownRole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_do_what_the_one_before_may() {
        assert!(Role::Reader < Role::Supervisor && Role::Supervisor < Role::Administrator);
        for role in Role::ALL {
            assert_eq!(role.word().parse(), Ok(role));
        }
        assert_eq!("Reader".parse::<Role>(), Err(UnknownRole));
    }
}
