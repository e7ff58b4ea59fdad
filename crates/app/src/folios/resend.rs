//! Writing to signers again, at corrected contacts where the caller gives them.

use crate::folios::read::{Lookup, classify_missing};
use crate::panel::{AuditAct, record_user_acts};
use crate::shared::idempotency::{Idempotent, IdempotentResult};
use crate::signing::party::SigningParty;
use crate::{App, Caller, Error, Policy};
use domain::{Correction, FolioId, ReturnUrl, SignerIndex, Timestamp};
use std::time::Duration;
use store::ResendCount;

const TEN_MINUTES: Duration = Duration::from_mins(10);
const DAY: Duration = Duration::from_hours(24);

impl App {
    /// Writes to the signers listed, who keep their return address where none is given. An unknown folio is as foreign as another
    /// company's.
    pub async fn resend_emails(
        &self,
        caller: Caller,
        folio: FolioId,
        corrections: Vec<Correction>,
        return_url: Option<ReturnUrl>,
        idempotent: Option<Idempotent<()>>,
    ) -> Result<IdempotentResult<()>, Error> {
        let now = self.clock.now();
        let policy = self.policy.clone();
        let answered = self.write_idempotent(caller, idempotent, move |tx, caller| {
            let own = tx.lock_folios(caller.company, &[folio])?;
            let Some(Lookup::Own(stored)) =
                classify_missing(tx, caller.company, &[folio], own)?.remove(&folio)
            else {
                return Err(Error::Foreign);
            };
            let change = stored
                .folio
                .resend(&corrections, return_url.as_ref(), &caller.origin(), now)?;
            let signers: Vec<SignerIndex> = change.signers.iter().map(|changed| changed.signer).collect();
            let yesterday = now.before(DAY);
            let counts = tx.resends_since(stored.seq, yesterday)?;
            if let Some(retry_after) = signers
                .iter()
                .filter_map(|s| too_often(*s, &counts, &policy, now))
                .max()
            {
                return Err(Error::TooOften { retry_after });
            }
            tx.count_resends(stored.seq, &signers, now, yesterday)?;
            // A resend resets the signer's limit of codes; a code that was sent to an old contact ends. A corrected
            // contact also applies to open bulk signatures.
            let mut listed = Vec::with_capacity(change.signers.len());
            let mut corrected = Vec::new();
            tx.lock_bulks_of(stored.seq)?;
            for changed in &change.signers {
                let signer_index = changed.signer;
                let party = SigningParty::Signer { folio, signer_index }.to_bytes();
                if changed.contact_corrected {
                    let number = &stored.folio[signer_index].document_number;
                    let contact = Some(&changed.contact);
                    let bulks = tx.correct_bulks(stored.seq, signer_index, number, contact, now)?;
                    corrected.extend(bulks.into_iter().map(|bulk| SigningParty::Bulk(bulk).to_bytes()));
                    corrected.push(party.clone());
                }
                listed.push(party);
            }
            listed.extend(corrected.iter().cloned());
            tx.reset_send_limits(&listed)?;
            tx.end_codes_of(&corrected)?;
            tx.apply(caller.company, now, &[(&stored, change)])?;
            record_user_acts(tx, caller, AuditAct::FolioResent, &[folio.to_string()], now)?;
            Ok(())
        });
        let answered = answered.await?;
        self.wakeups.outbox.notify();
        self.wakeups.projector.notify();
        Ok(answered)
    }
}

/// How long until this signer may be written to again, where a limit is reached. A limit of 0 is none.
fn too_often(
    signer: SignerIndex,
    counts: &[ResendCount],
    policy: &Policy,
    now: Timestamp,
) -> Option<Duration> {
    let times: Vec<Timestamp> = counts
        .iter()
        .filter(|c| c.signer == signer)
        .map(|c| c.at)
        .collect();
    let until_free = |span: Duration, limit: usize| {
        if limit == 0 {
            return None;
        }
        let is_recent = |at: &&Timestamp| **at > now.before(span) && !at.is_ahead_of(now);
        let recent: Vec<_> = times.iter().filter(is_recent).collect();
        let over = (recent.len() + 1).checked_sub(limit).filter(|over| *over > 0)?;
        recent.get(over - 1).map(|oldest| oldest.after(span).since(now))
    };
    let ten_minutes = until_free(TEN_MINUTES, policy.resends_in_ten_minutes);
    ten_minutes.max(until_free(DAY, policy.resends_in_a_day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(seconds_ago: &[u64], now: Timestamp) -> Vec<ResendCount> {
        let at = |ago: &u64| ResendCount {
            signer: SignerIndex(0),
            at: now.before(Duration::from_secs(*ago)),
        };
        seconds_ago.iter().map(at).collect()
    }

    #[test]
    fn the_window_slides() {
        let now = Timestamp::from_micros(1_800_000_000_000_000);
        let policy = Policy {
            resends_in_ten_minutes: 2,
            resends_in_a_day: 3,
            ..Policy::default()
        };
        let wait = |ago: &[u64]| {
            too_often(SignerIndex(0), &counts(ago, now), &policy, now).map(|span| span.as_secs())
        };
        assert_eq!(wait(&[]), None);
        assert_eq!(wait(&[1]), None);
        assert_eq!(wait(&[500, 1]), Some(100));
        assert_eq!(wait(&[700, 1]), None);
        assert_eq!(wait(&[80_000, 70_000, 1]), Some(6_400));
        let went_back = now.before(Duration::from_hours(1));
        let wait = too_often(SignerIndex(0), &counts(&[3, 2, 1], now), &policy, went_back);
        assert_eq!(wait, None, "the clock went back");
        assert_eq!(
            too_often(SignerIndex(1), &counts(&[2, 1], now), &policy, now),
            None
        );
    }

    #[test]
    fn a_limit_of_zero_is_off() {
        let now = Timestamp::from_micros(1_800_000_000_000_000);
        let wait = |ten_minutes: usize, day: usize| {
            let policy = Policy {
                resends_in_ten_minutes: ten_minutes,
                resends_in_a_day: day,
                ..Policy::default()
            };
            too_often(SignerIndex(0), &counts(&[3, 2, 1], now), &policy, now).map(|span| span.as_secs())
        };
        assert_eq!(wait(0, 0), None);
        assert_eq!(wait(0, 3), Some(86_397));
        assert_eq!(wait(3, 0), Some(597));
    }
}
