//! The stored form of a state: a version, then fields in a fixed order.

use sha2::Sha256;
use sha2::digest::common::hazmat::{SerializableState, SerializedState};

use super::Prepared;
use super::base::{Base, Held, SlotField, Standing};
use crate::syntax::Ref;

/// Changes whenever the fields do.
const VERSION: u8 = 2;

pub(super) fn encode(state: &Prepared) -> Vec<u8> {
    let Prepared { length, hasher, base } = state;
    let mut out = vec![VERSION];
    put(&mut out, *length);
    out.extend_from_slice(&hasher.serialize());
    put(&mut out, base.startxref);
    put(&mut out, base.size.into());
    put(
        &mut out,
        u64::from(base.streams) | u64::from(base.ends_line) << 1 | (base.standing as u64) << 2,
    );
    for id in [base.root, base.pages, base.field_page] {
        put_ref(&mut out, id);
    }
    put(&mut out, base.page_count.into());
    for side in base.paper {
        out.extend_from_slice(&side.to_le_bytes());
    }
    put_bytes(&mut out, &base.info);
    put_bytes(&mut out, &base.id);
    put(&mut out, base.signatures.into());
    put(&mut out, base.slots.len() as u64);
    for slot in &base.slots {
        put_bytes(&mut out, &slot.name);
        put_ref(&mut out, slot.id);
    }
    put(&mut out, base.taken.len() as u64);
    for name in &base.taken {
        put_bytes(&mut out, name);
    }
    put(&mut out, base.evidence.len() as u64);
    for hash in &base.evidence {
        out.extend_from_slice(hash);
    }
    put(&mut out, base.objects.len() as u64);
    for (number, held) in &base.objects {
        put_ref(
            &mut out,
            Ref {
                number: *number,
                generation: held.generation,
            },
        );
        put_bytes(&mut out, &held.body);
    }
    out
}

pub(super) fn decode(bytes: &[u8]) -> Option<Prepared> {
    let mut from = Source(bytes);
    if from.take(1)? != [VERSION] {
        return None;
    }
    let length = from.number()?;
    let mut stored = SerializedState::<Sha256>::default();
    let size = stored.len();
    stored.copy_from_slice(from.take(size)?);
    // The state of a hash counts its blocks: a state that belongs to another length is damaged.
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
    let taken = from.list(Source::bytes)?;
    let evidence = from.list(|from| from.take(32)?.try_into().ok())?;
    let objects = from.list(|from| {
        let Ref { number, generation } = from.reference()?;
        Some((
            number,
            Held {
                generation,
                body: from.bytes()?,
            },
        ))
    })?;
    let base = Base {
        startxref,
        size,
        streams: flags & 1 != 0,
        ends_line: flags & 2 != 0,
        standing: match flags >> 2 {
            0 => Standing::Open,
            1 => Standing::Certified,
            2 => Standing::Locked,
            _ => return None,
        },
        root,
        pages,
        field_page,
        page_count,
        paper,
        info,
        id,
        signatures,
        slots,
        taken: taken.into_iter().collect(),
        evidence: evidence.into_iter().collect(),
        objects: objects.into_iter().collect(),
    };
    from.0.is_empty().then_some(Prepared { length, hasher, base })
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
struct Source<'s>(&'s [u8]);

impl<'s> Source<'s> {
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
