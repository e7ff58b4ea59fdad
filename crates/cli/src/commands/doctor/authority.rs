//! The authority: whether its keys open, how long its certificates last, and who stamps the time.

use super::parts::compare;
use super::{CheckResult, with_causes};
use crate::settings::Settings;
use crate::wiring::{certifying, notary_settings, open_store, open_with_histories, time_stamping};
use app::operator::integrity::check_newest_folios;
use app::{Clock, Notary};
use pki::cms::Certificate;
use std::error::Error;
use std::time::Duration;

/// Folios whose histories are looked at.
const MAX_CHECKED_HISTORIES: i64 = 50;

/// A certificate that ends sooner is due to be replaced.
const RENEWAL_NOTICE: Duration = Duration::from_hours(24 * 90);

/// The authority, where there is one: the first start makes it.
async fn authority(settings: &Settings) -> Result<Option<Notary>, Box<dyn Error>> {
    let store = open_store(settings).await?;
    if store.read(|tx| tx.authority()).await?.is_empty() {
        return Ok(None);
    }
    // One that was made now would open nothing.
    let master = settings.given_master_key()?;
    let master = master.ok_or("there is no master key, and things are sealed")?;
    let master = master.with_kept_keys(&store).await?;
    let notary = Notary::open(&store, &master, &Clock::System, notary_settings(settings)?);
    Ok(Some(notary.await?))
}

/// Makes no key: a restore would take it for the installation's own.
pub(super) async fn master_key(settings: &Settings) -> CheckResult {
    let given = settings.given_master_key()?.is_some();
    // The check of the database reports its own failure.
    let answers = open_store(settings).await.is_ok();
    let sealed = if answers {
        Some(authority(settings).await?.is_some())
    } else {
        None
    };
    Ok(match sealed {
        Some(true) => "there, and opens what is sealed".into(),
        _ if !given => "none yet: the first start makes it".into(),
        Some(false) => "there, and well formed; nothing is sealed yet".into(),
        None => "there, and well formed".into(),
    })
}

/// Whether the newest histories are those that the service wrote.
pub(super) async fn histories(settings: &Settings) -> CheckResult {
    let Some(master) = settings.given_master_key()? else {
        return Ok("not looked at: there is no master key yet".into());
    };
    let (store, _) = open_with_histories(settings, master).await?;
    let found = check_newest_folios(&store, MAX_CHECKED_HISTORIES).await?;
    if found.faults > 0 {
        return Err(format!(
            "{} of {} are damaged; {}",
            found.faults,
            found.folios,
            found.messages.join("; ")
        )
        .into());
    }
    Ok(format!("the newest {} are as they were written", found.folios))
}

pub(super) async fn certificates(settings: &Settings) -> CheckResult {
    let Some(notary) = authority(settings).await? else {
        return Ok("none yet: the first start makes them".into());
    };
    let now = Clock::System.now();
    let root = notary.root().not_after();
    let mut first = None;
    for (role, certificate) in notary.certificates() {
        let ends = certificate.not_after();
        let left = ends.as_microsecond().saturating_sub(now.as_micros());
        if left < i64::try_from(renewal_notice(role, ends, root).as_micros())? {
            return Err(format!("the certificate of the {role} ends {ends}").into());
        }
        first = Some(first.map_or(ends, |first: jiff::Timestamp| first.min(ends)));
    }
    notary.check_revocation()?;
    let lists = notary.revocation_lists(now)?.len();
    let first = first.map(|first| first.to_string()).unwrap_or_default();
    let revoked = match notary.revocations() {
        0 => String::new(),
        count => format!("; revoked: {count}"),
    };
    Ok(format!(
        "the first ends {first}; {lists} lists of revoked ones can be signed{revoked}"
    ))
}

/// The certificate of another authority: whether it opens, belongs to its key, leads to a root, and lasts.
pub(super) fn bought_certificate(settings: &Settings) -> CheckResult {
    let Some(bought) = certifying(settings)? else {
        return Ok("none: the installation certifies documents itself".into());
    };
    let ends = bought.ends();
    let left = ends
        .as_microsecond()
        .saturating_sub(Clock::System.now().as_micros());
    if left < i64::try_from(RENEWAL_NOTICE.as_micros())? {
        return Err(format!("its chain ends {ends}").into());
    }
    let name = |certificate: &Certificate| certificate.common_name().unwrap_or_default();
    Ok(format!(
        "{}, under {}; ends {ends}",
        name(bought.credential().certificate()),
        name(bought.root())
    ))
}

/// How long before its end a certificate is due to be replaced: an issuer's when it can no longer give signers
/// certificates of the usual length, if another that the root allows could.
fn renewal_notice(role: &str, ends: jiff::Timestamp, root: jiff::Timestamp) -> Duration {
    if role == "issuer" && ends < root {
        RENEWAL_NOTICE + Notary::SIGNER_LIFETIME
    } else {
        RENEWAL_NOTICE
    }
}

pub(super) async fn timestamps(settings: &Settings) -> CheckResult {
    let others = time_stamping(settings)?;
    let number = others.len();
    if number == 0 {
        return Ok("made by the installation itself".into());
    }
    for other in others {
        let name = other.name().to_owned();
        let asked = tokio::task::spawn_blocking(move || other.try_it(Clock::System.now()));
        let theirs = asked
            .await?
            .map_err(|error| format!("{name}: {}", with_causes(&error)))?;
        compare(theirs, Clock::System.now(), "the time-stamping authority's")?;
    }
    Ok(match number {
        1 => "the authority answers, and its clock is ours".into(),
        _ => format!("all {number} authorities answer, and their clocks are ours"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_due_before_signers_certificates_get_shorter() {
        let year = |number: i64| jiff::Timestamp::from_second(number * 31_557_600).unwrap();
        assert_eq!(renewal_notice("service", year(20), year(40)), RENEWAL_NOTICE);
        let issuer = renewal_notice("issuer", year(30), year(40));
        assert!(issuer > Notary::SIGNER_LIFETIME);
        assert_eq!(
            renewal_notice("issuer", year(40), year(40)),
            RENEWAL_NOTICE,
            "no other would last longer"
        );
    }
}
