//! Why a person is not let in.

use super::person::{NoRole, ProviderAddressError};

/// Why a person is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderRefusal {
    /// The provider does not count now.
    Off,
    /// The answer belongs to no sign-in of this browser, or came too late or twice.
    Stale,
    /// The provider says no: its own word for why.
    Denied(String),
    /// The provider failed, or its token does not count: for administrators, in English.
    Failed(String),
    /// None of the person's groups has a role.
    NoGroup,
    /// The provider names too many groups to send them.
    TooManyGroups,
    /// The provider names no address.
    NoAddress,
    /// The provider does not say that the address is the person's.
    UnverifiedAddress,
    /// The company lets no such addresses in.
    ForeignDomain,
    /// The address has a user whom the provider knows as another person.
    OtherPerson,
    /// The person was not invited, and the company makes no accounts by itself.
    NotInvited,
    /// The user may not sign in.
    Disabled,
    /// The address has an account since the invitation.
    AccountExists,
    /// The company has as many people as it can have.
    Full,
}

impl From<NoRole> for ProviderRefusal {
    fn from(why: NoRole) -> Self {
        match why {
            NoRole::NoGroup => Self::NoGroup,
            NoRole::TooMany => Self::TooManyGroups,
        }
    }
}

impl From<ProviderAddressError> for ProviderRefusal {
    fn from(why: ProviderAddressError) -> Self {
        match why {
            ProviderAddressError::Missing => Self::NoAddress,
            ProviderAddressError::Unverified => Self::UnverifiedAddress,
            ProviderAddressError::ForeignDomain => Self::ForeignDomain,
        }
    }
}
