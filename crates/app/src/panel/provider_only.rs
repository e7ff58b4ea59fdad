//! Who signs in by the company's identity provider alone.

use domain::{CompanyId, ProviderId, Role};
use store::Tx;

/// The company's identity provider, if people of that role sign in by it alone. Administrators always keep their passwords:
/// a provider that fails locks nobody out for good.
pub(super) fn only_way_in(
    tx: &mut Tx<'_>,
    company: CompanyId,
    role: Role,
) -> Result<Option<ProviderId>, store::Error> {
    if role == Role::Administrator {
        return Ok(None);
    }
    let provider = tx.identity_provider(company)?;
    let only = provider.filter(|provider| provider.settings.required && provider.enabled_at.is_some());
    Ok(only.map(|provider| provider.id))
}
