//! The stages of a signature.

use std::fmt::Write;
use std::ops::Range;

use data_encoding::HEXLOWER;
use pdf::Damage;
use pdf::increment::{Appended, Increment, dict_of, edit, encoded, entry, text};
use pdf::prepare::{Prepared, SigningPermission};
use pdf::syntax::{Ref, Value};
use pki::cms::{self, Certificate, SignedAttributes};
use sha2::{Digest, Sha256};

use super::error::SignError;
use super::field;
use super::request::{Lock, NewSignature, Permission};
use crate::sheet;

/// The width of the three numbers of a byte range.
const BYTE_RANGE_WIDTH: usize = 36;
/// What stands between the byte range and the digits of a signature, and what after them.
pub(super) const BEFORE_DIGITS: &[u8] = b"]/Contents<";
const AFTER_DIGITS: &[u8] = b">>>";

/// An increment that lacks only the bytes of its signature.
#[derive(Debug, Clone)]
#[must_use]
pub struct Unsigned {
    increment: Vec<u8>,
    /// The hexadecimal digits between the angle brackets.
    contents: Range<usize>,
    before: Sha256,
    digest: [u8; 32],
    next: Prepared,
}

/// An increment, and the attributes that the signer's key has to sign.
#[derive(Debug, Clone)]
#[must_use]
pub struct ToSign {
    unsigned: Unsigned,
    attributes: cms::ToBeSigned,
}

/// First stage: the increment of a signature, complete but for the signature itself.
pub fn sign(prepared: &Prepared, request: &NewSignature<'_>) -> Result<Unsigned, SignError> {
    sign_after(prepared, request, |increment| match &request.sheet {
        Some(sheet) => sheet::append_sheet(increment, prepared, sheet),
        None => Ok(()),
    })
}

/// The same after pages that `add_pages` appends in the same increment.
pub(crate) fn sign_after(
    prepared: &Prepared,
    request: &NewSignature<'_>,
    add_pages: impl FnOnce(&mut Increment) -> Result<(), sheet::SheetError>,
) -> Result<Unsigned, SignError> {
    if prepared.append_state.permission == SigningPermission::Locked {
        return Err(SignError::Locked);
    }
    if request.certify.is_some() && prepared.append_state.signatures > 0 {
        return Err(SignError::NotFirst);
    }
    let mut increment = Increment::new(prepared);
    if request.certify.is_some() {
        field::loosen_pages(&mut increment)?;
    }
    add_pages(&mut increment)?;
    let id = increment.allocate();
    let mut entries = String::from("/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached");
    let time = request.time.strftime("D:%Y%m%d%H%M%SZ");
    let _ = write!(entries, "/M({time})");
    for (key, value) in [
        ("Name", request.name),
        ("Reason", request.reason),
        ("Location", request.location),
    ] {
        if let Some(value) = value {
            let _ = write!(entries, "/{key}{}", text(value));
        }
    }
    let lock = lock(&increment, request)?;
    let mut entries = entries.into_bytes();
    entries.extend(references(&increment, request, lock.as_ref()));
    field::write(&mut increment, request, id)?;
    if request.certify.is_some() {
        certify(&mut increment, id)?;
    }
    if request.certify == Some(Permission::Nothing) || lock.is_some_and(|lock| lock.forbids) {
        increment.append_state.permission = SigningPermission::Locked;
    }
    Ok(Unsigned::close(
        prepared,
        increment,
        id,
        &entries,
        request.reserve,
    )?)
}

/// First stage of a document timestamp, in a new invisible field of the given name.
pub fn timestamp(prepared: &Prepared, name: &str, reserve: usize) -> Result<Unsigned, SignError> {
    let mut increment = Increment::new(prepared);
    let id = increment.allocate();
    let field = super::Field::Invisible(name);
    let request = NewSignature::new(field, jiff::Timestamp::UNIX_EPOCH, reserve);
    field::write(&mut increment, &request, id)?;
    let entries = b"/Type/DocTimeStamp/Filter/Adobe.PPKLite/SubFilter/ETSI.RFC3161";
    Ok(Unsigned::close(prepared, increment, id, entries, reserve)?)
}

/// The lock of a signature.
struct Locked {
    /// The entries that locks and transform parameters share, as bytes: the strings of a document need not be UTF-8.
    entries: Vec<u8>,
    /// Whether it forbids further signatures.
    forbids: bool,
}

/// The signature references: certification and lock.
fn references(increment: &Increment, request: &NewSignature<'_>, lock: Option<&Locked>) -> Vec<u8> {
    let root = increment.append_state.root;
    let mut list = Vec::new();
    if let Some(level) = request.certify.map(Permission::level) {
        let certification = format!(
            "<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/V/1.2/P {level}>>>>"
        );
        list.extend_from_slice(certification.as_bytes());
    }
    if let Some(Locked { entries, .. }) = lock {
        let start = format!(
            "<</Type/SigRef/TransformMethod/FieldMDP/Data {} {} R/TransformParams<</Type/TransformParams/V/1.2",
            root.number, root.generation,
        );
        list.extend_from_slice(start.as_bytes());
        list.extend_from_slice(entries);
        list.extend_from_slice(b">>>>");
    }
    if list.is_empty() {
        list
    } else {
        [b"/Reference[", list.as_slice(), b"]"].concat()
    }
}

/// The lock of the request, or else that of the existing field.
fn lock(increment: &Increment, request: &NewSignature<'_>) -> Result<Option<Locked>, SignError> {
    match (request.lock, request.field) {
        (Some(lock), _) => Ok(Some(Locked {
            entries: field::lock_entries(lock).into_bytes(),
            forbids: matches!(lock, Lock::All | Lock::AllBut(_)),
        })),
        (None, super::Field::Existing(name)) => existing_lock(increment, name),
        _ => Ok(None),
    }
}

fn existing_lock(increment: &Increment, name: &str) -> Result<Option<Locked>, SignError> {
    let wanted = encoded(name);
    let slot = increment
        .append_state
        .slots
        .iter()
        .find(|slot| slot.name == wanted)
        .ok_or(SignError::NoSuchField)?;
    let Some(body) = increment.object(slot.id) else {
        return Ok(None);
    };
    let Some(lock) = entry(body, "Lock")? else {
        return Ok(None);
    };
    let damaged = Damage::Entry("Lock");
    let dict = match lock.as_ref() {
        Some(id) => dict_of(increment.object(id).ok_or(damaged)?)?,
        None => lock.as_dict().cloned().ok_or(damaged)?,
    };
    let mut entries = Vec::new();
    for key in ["Action", "Fields", "P"] {
        if let Some(value) = dict.get(key) {
            entries.extend_from_slice(format!("/{key} ").as_bytes());
            entries.extend_from_slice(value.raw);
        }
    }
    let forbids = dict.name("Action") != Some(b"Include") || dict.int("P") == Some(1);
    Ok(Some(Locked { entries, forbids }))
}

fn certify(increment: &mut Increment, signature: Ref) -> Result<(), SignError> {
    let root = increment.append_state.root;
    let catalog = increment
        .object(root)
        .ok_or(Damage::Missing(root.number))?
        .to_vec();
    let permissions = entry(&catalog, "Perms")?;
    let old = match permissions.as_ref().and_then(Value::as_ref) {
        Some(id) => increment.object(id).unwrap_or(b"<<>>").to_vec(),
        None => permissions.map_or(b"<<>>".to_vec(), |value| value.raw.to_vec()),
    };
    let value = format!("{} 0 R", signature.number);
    let new = edit(&old, &[("DocMDP", value.as_bytes())])?;
    increment.restate(root, edit(&catalog, &[("Perms", &new)])?);
    increment.append_state.permission = SigningPermission::Certified;
    Ok(())
}

impl Unsigned {
    fn close(
        prepared: &Prepared,
        mut increment: Increment,
        id: Ref,
        entries: &[u8],
        reserve: usize,
    ) -> Result<Self, Damage> {
        let mut body = [b"<<", entries, b"/ByteRange[0 "].concat();
        body.resize(body.len() + BYTE_RANGE_WIDTH, b' ');
        body.extend_from_slice(BEFORE_DIGITS);
        body.resize(body.len() + reserve * 2, b'0');
        body.extend_from_slice(AFTER_DIGITS);
        let body = increment.write(id, &body);
        increment.append_state.signatures += 1;
        let (mut bytes, append_state) = increment.finish()?;
        // Counted from the end: the entries before these may have been encrypted.
        let digits_end = body.end - AFTER_DIGITS.len();
        let contents = digits_end - reserve * 2..digits_end;
        let range_at = contents.start - BEFORE_DIGITS.len() - BYTE_RANGE_WIDTH;
        let first = prepared.length + contents.start as u64 - 1;
        let second = prepared.length + contents.end as u64 + 1;
        let length = prepared.length + bytes.len() as u64;
        let range = format!("{first} {second} {}", length - second);
        if let Some(room) = bytes
            .get_mut(range_at..)
            .and_then(|rest| rest.get_mut(..range.len()))
        {
            room.copy_from_slice(range.as_bytes());
        }
        let mut before = prepared.hasher.clone();
        before.update(bytes.get(..contents.start - 1).unwrap_or_default());
        let mut whole = before.clone();
        whole.update(bytes.get(contents.end + 1..).unwrap_or_default());
        let digest = whole.finalize().into();
        let next = Prepared {
            length,
            hasher: prepared.hasher.clone(),
            append_state,
        };
        Ok(Self {
            increment: bytes,
            contents,
            before,
            digest,
            next,
        })
    }

    /// The SHA-256 of the bytes the signature covers.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Second stage: the attributes that the key of this certificate has to sign.
    pub fn by(self, signer: &Certificate) -> Result<ToSign, SignError> {
        let attributes = SignedAttributes::new(&self.digest, signer)?;
        Ok(ToSign {
            unsigned: self,
            attributes,
        })
    }

    /// Last stage: the increment with a finished CMS or timestamp token in it.
    pub fn embed(self, cms: &[u8]) -> Result<Appended, SignError> {
        let Self {
            mut increment,
            contents,
            mut before,
            mut next,
            ..
        } = self;
        let reserved = contents.len() / 2;
        if cms.len() > reserved {
            return Err(SignError::TooLarge {
                needed: cms.len(),
                reserved,
            });
        }
        let written = contents.start..contents.start + cms.len() * 2;
        if let Some(digits) = increment.get_mut(written) {
            HEXLOWER.encode_mut(cms, digits);
        }
        before.update(increment.get(contents.start - 1..).unwrap_or_default());
        next.hasher = before;
        Ok(Appended { increment, next })
    }
}

impl ToSign {
    /// The SHA-256 to be signed: ECDSA in DER, or RSA with the padding of PKCS #1 v1.5.
    pub fn digest(&self) -> [u8; 32] {
        self.attributes.digest()
    }

    /// Last stage: the increment. `chain` are the certificates between the signer and the root, `timestamp` an
    /// RFC 3161 token over the signature value. The signature value is checked first.
    pub fn finish(
        self,
        signature: &[u8],
        chain: &[Certificate],
        timestamp: Option<&[u8]>,
    ) -> Result<Appended, SignError> {
        self.attributes.verify(signature)?;
        let cms = self.attributes.finish(signature, chain, timestamp);
        self.unsigned.embed(&cms)
    }
}
