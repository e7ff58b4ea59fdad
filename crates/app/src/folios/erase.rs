//! Erasing folios: an administrator erases one, a company's retention erases old ones. Legal hold forbids both.

use crate::folios::mentions::forget_mentions;
use crate::panel::{AuditAct, record_caller_act};
use crate::signing::party::SigningParty;
use crate::{App, Caller, Error};
use domain::{Actor, Change, Client, CompanyId, FolioId, FolioState, Observation, Origin, Timestamp};
use std::time::Duration;
use store::{ErasurePolicy, StoredFolio, Tx};

/// Folios erased in one transaction, which other writers wait for.
const MAX_BATCH_FOLIOS: usize = 20;
/// The time between two batches, over all instances.
const BATCH_PAUSE: Duration = Duration::from_secs(1);
const DAY: Duration = Duration::from_hours(24);
/// Why a pending folio is cancelled before it is erased.
const PENDING_TOO_LONG: &str = "Venció el plazo de conservación de los folios pendientes.";

impl App {
    /// Erases a finished folio of the caller's company. [`Error::Refused`] where it is pending, held or erased already.
    pub async fn erase_folio(&self, caller: Caller, id: FolioId, reason: Observation) -> Result<(), Error> {
        let now = self.clock.now();
        let erased = self.store.write_retryable(move |tx| {
            let stored = lock_own(tx, caller.company, id)?;
            let change = stored.folio.erase(Some(&reason), caller.origin(), now);
            erase(
                tx,
                caller.company,
                now,
                &[(&stored, change.map_err(Error::Refused)?)],
            )?;
            Ok::<_, Error>(record_caller_act(
                tx,
                &caller,
                AuditAct::FolioErased,
                &id.to_string(),
                now,
            )?)
        });
        erased.await?;
        self.wakeups.projector.notify();
        Ok(())
    }

    /// Places a folio of the caller's company under legal hold, or lifts it.
    pub async fn set_hold(
        &self,
        caller: Caller,
        id: FolioId,
        held: bool,
        reason: Observation,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let set = self.store.write_retryable(move |tx| {
            let stored = lock_own(tx, caller.company, id)?;
            let (event, act) = if held {
                (
                    stored.folio.place_hold(&reason, caller.origin(), now),
                    AuditAct::HoldPlaced,
                )
            } else {
                (
                    stored.folio.lift_hold(&reason, caller.origin(), now),
                    AuditAct::HoldLifted,
                )
            };
            let event = event.map_err(Error::Refused)?;
            tx.set_held(stored.seq, held)?;
            tx.append_events(&[(id, event)])?;
            Ok::<_, Error>(record_caller_act(tx, &caller, act, &id.to_string(), now)?)
        });
        set.await
    }

    /// Erases a batch of folios past their company's retention. Returns how many. Nothing while the last batch, of whatever
    /// instance, is too recent.
    pub async fn erase_past_retention(&self) -> Result<usize, Error> {
        let now = self.clock.now();
        let mut policies = self.store.read(|tx| tx.erasure_policies()).await?;
        if policies.is_empty() {
            return Ok(0);
        }
        let next = now.after(BATCH_PAUSE);
        let claimed = self.store.write(move |tx| tx.claim_erasure(now, next));
        let Some(last) = claimed.await? else {
            return Ok(0);
        };
        // Companies take turns: one with a million folios to erase does not keep the others waiting for a day.
        let turn = policies.partition_point(|policy| policy.company.0 <= last.0);
        policies.rotate_left(turn);
        for policy in policies {
            let due = self.store.read(move |tx| due(tx, policy, now)).await?;
            if due.is_empty() {
                continue;
            }
            let erased = self
                .store
                .write_retryable(move |tx| erase_due(tx, policy, &due, now))
                .await?;
            if erased > 0 {
                tracing::info!(
                    company = policy.company.0,
                    erased,
                    "folios past their retention were erased"
                );
                self.wakeups.projector.notify();
                return Ok(erased);
            }
        }
        Ok(0)
    }
}

/// A batch of folios of the company that seem to be past their retention.
fn due(tx: &mut Tx<'_>, policy: ErasurePolicy, now: Timestamp) -> Result<Vec<FolioId>, Error> {
    let mut due = Vec::new();
    for state in FolioState::ALL {
        if let Some(before) = retention_end(policy, state, now) {
            let room = MAX_BATCH_FOLIOS - due.len();
            due.extend(tx.erasable_folios(policy.company, state, before, room)?);
        }
    }
    Ok(due)
}

/// Folios in that state that changed last before this time are erased.
fn retention_end(policy: ErasurePolicy, state: FolioState, now: Timestamp) -> Option<Timestamp> {
    let days = policy.days.of(state, policy.approval)?;
    Some(now.before(DAY.saturating_mul(u32::try_from(days).unwrap_or(u32::MAX))))
}

/// Locks the folios, and erases those of which all of it is still true. Returns how many.
fn erase_due(
    tx: &mut Tx<'_>,
    policy: ErasurePolicy,
    due: &[FolioId],
    now: Timestamp,
) -> Result<usize, Error> {
    let pending_too_long = Observation::stored(PENDING_TOO_LONG.to_owned());
    let origin = Origin {
        actor: Actor::Service,
        client: Client::default(),
    };
    let change = |stored: &StoredFolio| {
        let folio = &stored.folio;
        let before = retention_end(policy, folio.state, now)?;
        let pending = folio.state == FolioState::Pending;
        let since = folio.updated_at.filter(|_| !pending).unwrap_or(folio.created_at);
        if since >= before {
            return None;
        }
        let erased = if pending {
            folio.erase_pending(&pending_too_long, origin.clone(), now)
        } else {
            folio.erase(None, origin.clone(), now)
        };
        erased.ok()
    };
    let stored = tx.lock_folios_to_erase(policy.company, due)?;
    let changes: Vec<_> = stored
        .iter()
        .filter_map(|stored| Some((stored, change(stored)?)))
        .collect();
    erase(tx, policy.company, now, &changes)?;
    if !changes.is_empty() {
        tx.note_erasure_turn(policy.company)?;
    }
    Ok(changes.len())
}

fn erase(
    tx: &mut Tx<'_>,
    company: CompanyId,
    now: Timestamp,
    changes: &[(&StoredFolio, Change)],
) -> Result<(), Error> {
    let (bulks, people) = tx.erase_folios(company, now, changes)?;
    forget_mentions(tx, company, &people, now)?;
    let signers = changes.iter().flat_map(|(stored, _)| {
        let folio = stored.folio.id;
        stored
            .folio
            .indexed_signers()
            .map(move |(signer_index, _)| SigningParty::Signer { folio, signer_index })
    });
    let parties = signers.chain(bulks.into_iter().map(SigningParty::Bulk));
    let holders: Vec<Vec<u8>> = parties.map(|party| party.to_bytes()).collect();
    Ok(tx.delete_traces_of(&holders)?)
}

/// A folio of the company, locked as an erasure needs it.
fn lock_own(tx: &mut Tx<'_>, company: CompanyId, id: FolioId) -> Result<StoredFolio, Error> {
    let found = tx.lock_folios_to_erase(company, &[id])?.pop();
    found.ok_or(Error::NotFound)
}
