//! A rehearsal of every act on a document: sheet, certification, signature, revocation data and timestamp, without
//! keys and with nothing drawn. A document that fails would fail when a signer types the code. Most documents are so plain
//! that reading them tells as much.

use jiff::Timestamp;
use pdf::Limits;
use pdf::file::Document;
use pdf::increment::Appended;
use pdf::inspect::{Hidden, Lock, Refused};
use pdf::prepare::Prepared;

use crate::sheet::{self, SheetError, Subsets};
use crate::sign::{
    Appearance, Field, NewSignature, Permission, SignError, add_validation_data, sign, sign_after, timestamp,
};
use crate::verify::{Change, Reason, check_plain, check_revisions};

/// Bytes for signatures that are not made.
const DUMMY_SIGNATURE_BYTES: usize = 8;
/// Nearly every document needs one.
const MAX_REHEARSALS: usize = 4;
/// Names that no document has by chance.
const CERTIFICATION: &str = "Firmeza-ensayo-1";
const SIGNER: &str = "Firmeza-ensayo-2";
const CLOCK: &str = "Firmeza-ensayo-3";

/// Refuses a document that could not be signed, or whose signatures could not be verified afterwards. `prepared` was
/// made from its bytes. New objects get numbers above all that the document refers to: an object that it lacks must not
/// come to life.
pub fn rehearse(doc: &Document<'_>, prepared: &mut Prepared, limits: &Limits) -> Result<(), Refused> {
    let plain = check_plain(doc, &prepared.append_state, limits).map_err(|reason| unverifiable(&reason))?;
    if let Some(plain) = plain {
        return raise_size(prepared, plain.highest_missing, limits);
    }
    for _ in 0..MAX_REHEARSALS {
        let appended = increments(prepared).map_err(|error| unsignable(&error))?;
        match rehearse_once(doc.bytes(), &appended, prepared, limits) {
            Err(Reason::Changed(Change::CameToLife(number))) => raise_size(prepared, Some(number), limits)?,
            outcome => return outcome.map_err(|reason| unverifiable(&reason)),
        }
    }
    Err(Refused::Unverifiable)
}

/// Gives new objects numbers above one that the document refers to.
fn raise_size(prepared: &mut Prepared, referred: Option<u32>, limits: &Limits) -> Result<(), Refused> {
    let size = &mut prepared.append_state.size;
    match referred.filter(|number| number >= size) {
        Some(number) if number >= limits.size / 2 => Err(Refused::Unverifiable),
        Some(number) => {
            *size = number + 1;
            Ok(())
        }
        None => Ok(()),
    }
}

fn rehearse_once(
    bytes: &[u8],
    increments: &[u8],
    prepared: &Prepared,
    limits: &Limits,
) -> Result<(), Reason> {
    let whole = [bytes, increments].concat();
    // The increments have their own room: a document of exactly the largest size is accepted.
    let limits = Limits {
        bytes: whole.len(),
        ..limits.clone()
    };
    check_revisions(&whole, bytes.len(), &prepared.append_state, &limits)
}

/// All that signers and the service would append.
fn increments(prepared: &Prepared) -> Result<Vec<u8>, SignError> {
    let request = |field| NewSignature::new(field, Timestamp::UNIX_EPOCH, DUMMY_SIGNATURE_BYTES);
    let mut out = Vec::new();
    let mut append = |appended: Appended| {
        out.extend_from_slice(&appended.increment);
        appended.next
    };
    let mut field = Field::Invisible(SIGNER);
    let mut signing_state = prepared.clone();
    if prepared.signatures() == 0 {
        let certification = NewSignature {
            certify: Some(Permission::FillAndSign),
            ..request(Field::Invisible(CERTIFICATION))
        };
        let unsigned = sign_after(&signing_state, &certification, |increment| {
            sheet::append_blank_sheet(increment, SIGNER)
        })?;
        signing_state = append(unsigned.embed(&[])?);
        field = Field::Existing(SIGNER);
    }
    let signature = NewSignature {
        appearance: Some(Appearance {
            size: [81.0, 81.0],
            content: Vec::new(),
            fonts: String::new(),
            resources: String::new(),
            subsets: Subsets::default(),
        }),
        ..request(field)
    };
    signing_state = append(sign(&signing_state, &signature)?.embed(&[])?);
    signing_state = append(add_validation_data(
        &signing_state,
        &[b"certificate"],
        &[b"list"],
        &[],
    )?);
    append(timestamp(&signing_state, CLOCK, DUMMY_SIGNATURE_BYTES)?.embed(&[])?);
    Ok(out)
}

fn unsignable(error: &SignError) -> Refused {
    match *error {
        SignError::State(damage) | SignError::Sheet(SheetError::State(damage)) => damage.into(),
        SignError::Locked => Refused::LockedAgainstSigning(Lock::Fields),
        _ => Refused::Unverifiable,
    }
}

fn unverifiable(reason: &Reason) -> Refused {
    match *reason {
        Reason::UnknownReferences(damage) | Reason::DamagedRevision(damage) => damage.into(),
        Reason::Changed(Change::Hidden(number)) => Refused::HiddenContent(Hidden::Shadow(number)),
        _ => Refused::Unverifiable,
    }
}
