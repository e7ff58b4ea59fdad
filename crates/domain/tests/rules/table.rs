//! Every state against every act. A cell is the state afterwards, or the rule that forbids the act.

use crate::sample::{
    at, correction, created, details, new_signer, observation, own_contact, return_url, service,
};
use domain::{BulkId, DocumentType, Folio, FolioState, Refusal, SignerIndex, SignerState};
use std::collections::BTreeSet;

// The folio has two signers; the second one acts. In "last sign" the first has signed before.
#[rustfmt::skip]
const TABLE: &str = "
    folio              | cancel     | resend     | sign       | last sign  | reject             | approve     | disapprove  | drop               | start bulk  | erase
    pending            | cancelled  | pending    | pending    | signed     | rejected by signer | not awaited | not awaited | not final          | pending     | not final
    signed             | not pending| not pending| not pending| not pending| not pending        | approved    | disapproved | signed             | not pending | signed
    rejected by signer | not pending| not pending| not pending| not pending| not pending        | not awaited | not awaited | rejected by signer | not pending | rejected by signer
    approved           | not pending| not pending| not pending| not pending| not pending        | not awaited | not awaited | approved           | not pending | approved
    disapproved        | not pending| not pending| not pending| not pending| not pending        | not awaited | not awaited | disapproved        | not pending | disapproved
    cancelled          | not pending| not pending| not pending| not pending| not pending        | not awaited | not awaited | cancelled          | not pending | cancelled

    expired:
    pending            | cancelled  | expired    | expired    | expired    | expired            | not awaited | not awaited | not final          | expired     | not final
    signed             | not pending| not pending| not pending| not pending| not pending        | approved    | disapproved | signed             | not pending | signed
    rejected by signer | not pending| not pending| not pending| not pending| not pending        | not awaited | not awaited | rejected by signer | not pending | rejected by signer
    approved           | not pending| not pending| not pending| not pending| not pending        | not awaited | not awaited | approved           | not pending | approved
    disapproved        | not pending| not pending| not pending| not pending| not pending        | not awaited | not awaited | disapproved        | not pending | disapproved
    cancelled          | not pending| not pending| not pending| not pending| not pending        | not awaited | not awaited | cancelled          | not pending | cancelled

    dropped:
    signed             | dropped    | dropped    | dropped    | dropped    | dropped            | dropped     | dropped     | dropped            | dropped     | signed
    rejected by signer | dropped    | dropped    | dropped    | dropped    | dropped            | dropped     | dropped     | dropped            | dropped     | rejected by signer
    approved           | dropped    | dropped    | dropped    | dropped    | dropped            | dropped     | dropped     | dropped            | dropped     | approved
    disapproved        | dropped    | dropped    | dropped    | dropped    | dropped            | dropped     | dropped     | dropped            | dropped     | disapproved
    cancelled          | dropped    | dropped    | dropped    | dropped    | dropped            | dropped     | dropped     | dropped            | dropped     | cancelled
";

#[test]
fn every_state_against_every_act() {
    let mut acts = Vec::new();
    let (mut expired, mut dropped) = (false, false);
    let mut cells = 0;
    for line in TABLE.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line {
            "expired:" => (expired, dropped) = (true, false),
            "dropped:" => (expired, dropped) = (false, true),
            _ => {
                let (from, rest) = line.split_once('|').unwrap();
                let row: Vec<&str> = rest.split('|').map(str::trim).collect();
                if acts.is_empty() {
                    acts = row;
                    continue;
                }
                assert_eq!(row.len(), acts.len(), "{line}");
                for (act, expected) in acts.iter().zip(row) {
                    let mut folio = folio(state(from.trim()), *act == "last sign");
                    folio.expires_at = expired.then(|| at(50));
                    folio.dropped = dropped;
                    let outcome = outcome(&folio, act);
                    assert_eq!(
                        outcome, expected,
                        "{act} on {from}, expired {expired}, dropped {dropped}"
                    );
                    cells += 1;
                }
            }
        }
    }
    // Nothing pending is ever dropped.
    assert_eq!(cells, (6 + 6 + 5) * 10);
}

#[test]
fn an_end_that_is_not_reached_yet_forbids_nothing() {
    let mut folio = folio(FolioState::Pending, false);
    folio.expires_at = Some(at(101));
    assert_eq!(outcome(&folio, "sign"), "pending");
    folio.expires_at = Some(at(100));
    assert_eq!(outcome(&folio, "sign"), "expired");
}

#[test]
fn nobody_acts_twice_and_only_signers_act() {
    let mut folio = folio(FolioState::Pending, true);
    let reason = observation("not what was agreed");
    let first = |folio: &Folio| {
        folio
            .sign(
                SignerIndex(0),
                &own_contact(folio, 0),
                details(),
                service(),
                at(100),
            )
            .unwrap_err()
    };
    assert_eq!(first(&folio), Refusal::AlreadyActed);
    folio.signers[0].state = SignerState::Rejected;
    assert_eq!(first(&folio), Refusal::AlreadyActed);
    assert_eq!(
        folio.reject(
            SignerIndex(0),
            &own_contact(&folio, 0),
            &reason,
            None,
            service(),
            at(100)
        ),
        Err(Refusal::AlreadyActed)
    );
    assert_eq!(
        folio.sign(
            SignerIndex(2),
            &own_contact(&folio, 2),
            details(),
            service(),
            at(100)
        ),
        Err(Refusal::UnknownSigner)
    );
    assert_eq!(
        folio.reject(
            SignerIndex(2),
            &own_contact(&folio, 2),
            &reason,
            None,
            service(),
            at(100)
        ),
        Err(Refusal::UnknownSigner)
    );

    let url = return_url("https://example.com");
    let resend = |who: &[usize]| {
        let corrections: Vec<_> = who
            .iter()
            .map(|place| correction(*place, "new@example.com"))
            .collect();
        folio
            .resend(&corrections, Some(&url), &service(), at(100))
            .map(drop)
    };
    assert_eq!(resend(&[]), Err(Refusal::NoSigners));
    assert_eq!(resend(&[0]), Err(Refusal::AlreadyActed));
    assert_eq!(resend(&[1, 1]), Err(Refusal::RepeatedSigner));
    assert_eq!(resend(&[1, 2]), Err(Refusal::UnknownSigner));

    let bulk = |place, kind| {
        let signer = new_signer(place, kind, own_contact(&folio, place));
        folio
            .start_bulk(BulkId::from_bytes([1; 16]), &signer, service(), at(100))
            .map(drop)
    };
    assert_eq!(bulk(0, DocumentType::CitizenCard), Err(Refusal::AlreadyActed));
    assert_eq!(bulk(1, DocumentType::TaxNumber), Err(Refusal::UnknownSigner));
    assert_eq!(bulk(2, DocumentType::CitizenCard), Err(Refusal::UnknownSigner));
}

#[test]
fn what_is_held_or_erased_is_not_erased_and_what_is_erased_is_not_held() {
    let why = observation("a reason that is long enough");
    let mut folio = folio(FolioState::Cancelled, false);
    let erased = |folio: &Folio| folio.erase(None, service(), at(100)).map(drop);
    let held = |folio: &Folio| folio.place_hold(&why, service(), at(100)).map(drop);
    let lifted = |folio: &Folio| folio.lift_hold(&why, service(), at(100)).map(drop);
    assert_eq!((erased(&folio), held(&folio)), (Ok(()), Ok(())));
    assert_eq!(lifted(&folio), Err(Refusal::NotHeld));
    folio.held = true;
    assert_eq!(
        (erased(&folio), held(&folio)),
        (Err(Refusal::Held), Err(Refusal::Held))
    );
    assert_eq!(lifted(&folio), Ok(()));
    (folio.held, folio.erased) = (false, true);
    assert_eq!(
        (erased(&folio), held(&folio)),
        (Err(Refusal::Erased), Err(Refusal::Erased))
    );
    let pending = self::folio(FolioState::Pending, false);
    let change = pending.erase_pending(&why, service(), at(100)).unwrap();
    assert_eq!((change.to, change.messages.len()), (FolioState::Cancelled, 0));
}

/// A folio in that state, its signers as they must be there.
fn folio(state: FolioState, first_signed: bool) -> Folio {
    let mut folio = created(2, None).folio;
    folio.state = state;
    let (first, second) = match state {
        FolioState::Pending | FolioState::Cancelled if first_signed => {
            (SignerState::Signed, SignerState::Pending)
        }
        FolioState::Pending | FolioState::Cancelled => (SignerState::Pending, SignerState::Pending),
        FolioState::RejectedBySigner => (SignerState::Rejected, SignerState::Pending),
        FolioState::Signed | FolioState::Approved | FolioState::Disapproved => {
            (SignerState::Signed, SignerState::Signed)
        }
    };
    folio.signers[0].state = first;
    folio.signers[1].state = second;
    folio
}

fn outcome(folio: &Folio, act: &str) -> &'static str {
    let now = at(100);
    let why = observation("a reason that is long enough");
    let url = return_url("https://example.com/again");
    let to = match act {
        "cancel" => folio
            .cancel(&why, &BTreeSet::new(), service(), now)
            .map(|change| change.to),
        "resend" => folio
            .resend(&[correction(1, "new@example.com")], Some(&url), &service(), now)
            .map(|change| change.to),
        "sign" | "last sign" => folio
            .sign(SignerIndex(1), &own_contact(folio, 1), details(), service(), now)
            .map(|change| change.to),
        "reject" => folio
            .reject(SignerIndex(1), &own_contact(folio, 1), &why, None, service(), now)
            .map(|change| change.to),
        "approve" => folio.approve(Vec::new(), service(), now).map(|change| change.to),
        "disapprove" => folio
            .disapprove(&why, Vec::new(), service(), now)
            .map(|change| change.to),
        "drop" => folio.drop_finished(service(), now).map(|change| {
            assert!(change.drop);
            change.to
        }),
        "erase" => folio.erase(Some(&why), service(), now).map(|change| {
            assert!(change.drop);
            change.to
        }),
        "start bulk" => folio
            .start_bulk(
                BulkId::from_bytes([7; 16]),
                &new_signer(1, DocumentType::CitizenCard, own_contact(folio, 1)),
                service(),
                now,
            )
            .map(|_| folio.state),
        other => panic!("no act {other}"),
    };
    match to {
        Ok(state) => word(state),
        Err(Refusal::NotPending) => "not pending",
        Err(Refusal::NotAwaitingApproval) => "not awaited",
        Err(Refusal::NotFinal) => "not final",
        Err(Refusal::Expired) => "expired",
        Err(Refusal::Dropped) => "dropped",
        Err(other) => panic!("{other:?}"),
    }
}

const fn word(state: FolioState) -> &'static str {
    match state {
        FolioState::Pending => "pending",
        FolioState::Signed => "signed",
        FolioState::RejectedBySigner => "rejected by signer",
        FolioState::Approved => "approved",
        FolioState::Disapproved => "disapproved",
        FolioState::Cancelled => "cancelled",
    }
}

fn state(written: &str) -> FolioState {
    let named = |state: &FolioState| word(*state) == written;
    FolioState::ALL.into_iter().find(named).unwrap()
}
