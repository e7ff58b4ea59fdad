//! Who must sign in by the company's identity provider.

use domain::{CompanyId, ProviderId, Role};
use store::Tx;

/// The company's identity provider, if people of that role must sign in by it. Administrators always keep their passwords: a
/// provider that fails locks no company out for good.
pub(super) fn required_provider(
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
