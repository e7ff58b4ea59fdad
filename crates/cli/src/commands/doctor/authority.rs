//! The authority: whether its keys open, how long its certificates last, and who stamps the time.

use super::parts::{OLDEST_RIGHT_TIME, compare};
use super::{CheckResult, with_causes};
use crate::settings::Settings;
use crate::wiring::{
    certifying, issuing, notary_settings, open_store, open_with_histories, time_stamping, was_rotated_to,
};
use app::operator::integrity::check_newest_folios;
use app::{Clock, Notary};
use domain::Timestamp;
use pki::cms::Certificate;
use std::error::Error;
use std::time::Duration;

/// Folios whose histories are looked at.
const MAX_CHECKED_HISTORIES: i64 = 50;

/// A certificate that ends sooner is due to be replaced.
const RENEWAL_NOTICE: Duration = Duration::from_hours(24 * 90);

/// How long before its making a certificate of the authority begins.
const BACKDATE_SECONDS: i64 = 3600;

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

/// What to do about a master key that does not open what is sealed: which file is meant.
pub(super) fn key_advice(settings: &Settings) -> String {
    if !settings.sets_master_key() && settings.next_key_path().exists() {
        return format!(
            "start the service: it puts the key of {} in place",
            settings.next_key_path().display()
        );
    }
    format!(
        "put the key that this database was made with, or rotated to, into {}; or name its file in \
         FIRMEZA_MASTER_KEY_FILE",
        settings.master_key_place()
    )
}

/// Makes no key: a restore would take it for the installation's own.
pub(super) async fn master_key(settings: &Settings) -> CheckResult {
    if let Some(next) = settings.next_master_key()?
        && was_rotated_to(settings, next).await?
    {
        return Err(format!(
            "a rotation was killed: the key of this database is in {}, and {} has the one before",
            settings.next_key_path().display(),
            settings.own_key_path().display()
        )
        .into());
    }
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

/// Whether the authority was founded, and its issuer rotated, under a clock that was right. A certificate is good from an
/// hour before its making: a clock that was less than that ahead did no harm.
pub(super) async fn founding(settings: &Settings) -> CheckResult {
    let Some(notary) = authority(settings).await? else {
        return Ok("none yet: the first start founds the authority".into());
    };
    let store = open_store(settings).await?;
    let first_folio = store.read(|tx| tx.first_folio_time()).await?;
    let to_jiff = |at: Timestamp| jiff::Timestamp::from_microsecond(at.as_micros());
    let (now, first_folio) = (
        to_jiff(Clock::System.now())?,
        first_folio.map(to_jiff).transpose()?,
    );
    let root = notary.root().not_before();
    for (role, certificate) in notary.certificates() {
        let from = certificate.not_before();
        if let Some(problem) = wrong_beginning(from, root, now, first_folio) {
            return Err(format!("the certificate of the {role} is good from {from} on, {problem}").into());
        }
    }
    Ok(format!("by a clock that was right, on {root}"))
}

/// What a wrong clock did to the beginning of a certificate, beside that of the root.
fn wrong_beginning(
    from: jiff::Timestamp,
    root: jiff::Timestamp,
    now: jiff::Timestamp,
    first_folio: Option<jiff::Timestamp>,
) -> Option<&'static str> {
    if from > now {
        Some("which is still to come: it was made while a clock was ahead")
    } else if from.as_second() < OLDEST_RIGHT_TIME - BACKDATE_SECONDS {
        Some("before this program was written: it was made while a clock was behind")
    } else if from < root {
        Some("before the root: one of them was made while a clock was wrong")
    } else if from == root && first_folio.is_some_and(|first| first < from) {
        Some("later than the first folio: it was made while a clock was ahead")
    } else {
        None
    }
}

/// The certificate and the issuer of another authority: whether they open, belong to their keys, may be used, lead to a
/// root, and last.
pub(super) fn bought_certificates(settings: &Settings) -> CheckResult {
    let certificate = match certifying(settings)? {
        Some(bought) => lasting(bought.credential().certificate(), bought.root(), bought.ends())?,
        None => "none: the installation certifies documents itself".into(),
    };
    match issuing(settings)? {
        Some(bought) => {
            let issuer = lasting(bought.issuer().certificate(), bought.root(), bought.ends())?;
            Ok(format!("{certificate}; issuer {issuer}"))
        }
        None => Ok(certificate),
    }
}

fn lasting(own: &Certificate, root: &Certificate, ends: jiff::Timestamp) -> CheckResult {
    let left = ends
        .as_microsecond()
        .saturating_sub(Clock::System.now().as_micros());
    if left < i64::try_from(RENEWAL_NOTICE.as_micros())? {
        return Err(format!("its chain ends {ends}").into());
    }
    let name = |certificate: &Certificate| certificate.common_name().unwrap_or_default();
    Ok(format!("{}, under {}; ends {ends}", name(own), name(root)))
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
        let asked = tokio::task::spawn_blocking(move || other.probe(Clock::System.now()));
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
    fn certificates_that_were_made_by_a_wrong_clock_are_told() {
        let hour = |number: i64| jiff::Timestamp::from_second(OLDEST_RIGHT_TIME + number * 3600).unwrap();
        let is_wrong = |from, root, now, first: Option<i64>| {
            wrong_beginning(hour(from), hour(root), hour(now), first.map(hour)).is_some()
        };
        assert!(!is_wrong(10, 10, 11, None));
        assert!(!is_wrong(10, 10, 10, Some(11)));
        assert!(!is_wrong(500, 10, 510, Some(11)), "an issuer of later");
        assert!(is_wrong(59, 10, 11, None), "two days ahead");
        assert!(is_wrong(59, 59, 11, None), "the root, too");
        assert!(is_wrong(-2, -2, 11, None), "long ago");
        assert!(is_wrong(10, 59, 99, Some(60)), "older than its root");
        assert!(is_wrong(59, 59, 99, Some(11)), "what was ahead is past by now");
    }

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
