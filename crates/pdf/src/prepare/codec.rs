//! The stored form of a state: a version, then fields in a fixed order.

use sha2::Sha256;
use sha2::digest::common::hazmat::{SerializableState, SerializedState};

use super::Prepared;
use super::append_state::{AppendState, EncryptedState, ObjectCopy, SigningPermission, SlotField};
use crate::file::Encryption;
use crate::syntax::Ref;

/// Changes whenever the fields change.
const VERSION: u8 = 2;
/// The same fields, and those of an encrypted document.
const ENCRYPTED_VERSION: u8 = 3;

pub(super) fn encode(prepared: &Prepared) -> Vec<u8> {
    let Prepared {
        length,
        hasher,
        append_state,
    } = prepared;
    let encryption = append_state.encryption.as_ref();
    let mut out = vec![encryption.map_or(VERSION, |_| ENCRYPTED_VERSION)];
    put(&mut out, *length);
    out.extend_from_slice(&hasher.serialize());
    put(&mut out, append_state.startxref);
    put(&mut out, append_state.size.into());
    put(
        &mut out,
        u64::from(append_state.streams)
            | u64::from(append_state.ends_line) << 1
            | (append_state.permission as u64) << 2,
    );
    for id in [append_state.root, append_state.pages, append_state.field_page] {
        put_ref(&mut out, id);
    }
    put(&mut out, append_state.page_count.into());
    for side in append_state.paper {
        out.extend_from_slice(&side.to_le_bytes());
    }
    put_bytes(&mut out, &append_state.info);
    put_bytes(&mut out, &append_state.id);
    put(&mut out, append_state.signatures.into());
    put(&mut out, append_state.slots.len() as u64);
    for slot in &append_state.slots {
        put_bytes(&mut out, &slot.name);
        put_ref(&mut out, slot.id);
    }
    put(&mut out, append_state.field_names.len() as u64);
    for name in &append_state.field_names {
        put_bytes(&mut out, name);
    }
    put(&mut out, append_state.validation_data.len() as u64);
    for hash in &append_state.validation_data {
        out.extend_from_slice(hash);
    }
    put(&mut out, append_state.objects.len() as u64);
    for (number, copy) in &append_state.objects {
        put_ref(
            &mut out,
            Ref {
                number: *number,
                generation: copy.generation,
            },
        );
        put_bytes(&mut out, &copy.body);
    }
    if let Some(EncryptedState { stated, encryption }) = encryption {
        put_bytes(&mut out, stated);
        put_bytes(&mut out, &encryption.to_bytes());
    }
    out
}

pub(super) fn decode(bytes: &[u8]) -> Option<Prepared> {
    let mut from = Reader(bytes);
    let is_encrypted = match from.take(1)? {
        [VERSION] => false,
        [ENCRYPTED_VERSION] => true,
        _ => return None,
    };
    let length = from.number()?;
    let mut stored = SerializedState::<Sha256>::default();
    let size = stored.len();
    stored.copy_from_slice(from.take(size)?);
    // The state of a hash includes its count of blocks: a mismatch with the length means damage.
    let blocks = stored.get(32..40)?.try_into().map(u64::from_le_bytes).ok()?;
    if blocks != length / 64 {
        return None;
    }
    let hasher = Sha256::deserialize(&stored).ok()?;
    let startxref = from.number()?;
    let size = from.small()?;
    let flags = from.number()?;
    let (root, pages, field_page) = (from.reference()?, from.reference()?, from.reference()?);
    let page_count = from.small()?;
    let mut paper = [0.0; 2];
    for side in &mut paper {
        *side = f64::from_le_bytes(from.take(8)?.try_into().ok()?);
    }
    let (info, id) = (from.bytes()?, from.bytes()?);
    let signatures = from.small()?;
    let slots = from.list(|from| {
        Some(SlotField {
            name: from.bytes()?,
            id: from.reference()?,
        })
    })?;
    let field_names = from.list(Reader::bytes)?;
    let validation_data = from.list(|from| from.take(32)?.try_into().ok())?;
    let objects = from.list(|from| {
        let Ref { number, generation } = from.reference()?;
        Some((
            number,
            ObjectCopy {
                generation,
                body: from.bytes()?,
            },
        ))
    })?;
    let encryption = if is_encrypted {
        Some(EncryptedState {
            stated: from.bytes()?,
            encryption: Encryption::from_bytes(&from.bytes()?)?,
        })
    } else {
        None
    };
    let append_state = AppendState {
        startxref,
        size,
        streams: flags & 1 != 0,
        ends_line: flags & 2 != 0,
        permission: match flags >> 2 {
            0 => SigningPermission::Open,
            1 => SigningPermission::Certified,
            2 => SigningPermission::Locked,
            _ => return None,
        },
        root,
        pages,
        field_page,
        page_count,
        paper,
        info,
        id,
        encryption,
        signatures,
        slots,
        field_names: field_names.into_iter().collect(),
        validation_data: validation_data.into_iter().collect(),
        objects: objects.into_iter().collect(),
    };
    from.0.is_empty().then_some(Prepared {
        length,
        hasher,
        append_state,
    })
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

fn put_ref(out: &mut Vec<u8>, id: Ref) {
    put(out, id.number.into());
    put(out, id.generation.into());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// The bytes still to be read.
struct Reader<'s>(&'s [u8]);

impl<'s> Reader<'s> {
    fn take(&mut self, length: usize) -> Option<&'s [u8]> {
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head)
    }

    fn number(&mut self) -> Option<u64> {
        let mut sum = 0u64;
        for shift in (0..63).step_by(7) {
            let &[byte] = self.take(1)? else { return None };
            sum |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(sum);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    fn reference(&mut self) -> Option<Ref> {
        Some(Ref {
            number: self.small()?,
            generation: self.number()?.try_into().ok()?,
        })
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = self.number()?.try_into().ok()?;
        self.take(length).map(<[u8]>::to_vec)
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }
}
