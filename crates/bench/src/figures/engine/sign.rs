//! What a signature on a prepared document costs, against its primitives alone: a key pair, three signatures (of the
//! certificate, of the document, of the timestamp), the hash of the increment.

use super::test_authority::{TestAuthority, prepared};
use super::{BenchResult, alternating, line, to_parts_error};
use crate::report::{Line, Target};
use parts::Result;
use pdf::increment::Appended;
use pdf::prepare::Prepared;
use pki::authority::{LocalKey, Signer};
use sha2::{Digest, Sha256};
use std::hint::black_box;

const ROUNDS: u32 = 400;

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    to_parts_error(signing())
}

fn signing() -> BenchResult<Vec<Line>> {
    let authority = TestAuthority::open()?;
    let stored = |size| Ok::<_, Box<dyn std::error::Error>>(prepared(&authority.document(size)?)?.to_bytes());
    let (small, large) = (stored(20_000)?, stored(20 << 20)?);
    let act = |state: &[u8]| authority.act(&Prepared::from_bytes(state)?, "Firma");
    let certify = |signers| authority.certify(&Prepared::from_bytes(&small)?, signers);
    let sheet = certify(10)?;
    let ready = sheet.next.to_bytes();
    let mut fill = || authority.fill(&Prepared::from_bytes(&ready)?, "Firma1");

    let mut lines = vec![
        against_primitives("sign", "an act on a prepared document", 4.0, &mut || act(&small))?,
        against_primitives(
            "sign-field",
            "an act that fills its field on the sheet",
            4.0,
            &mut fill,
        )?,
    ];
    for (name, what, signers) in [
        ("sheet-1", "a certification that brings a sheet for one", 1),
        ("sheet-2", "a certification that brings a sheet for two", 2),
        ("sheet-10", "a certification that brings a sheet for ten", 10),
    ] {
        lines.push(against_primitives(name, what, 5.0, &mut || certify(signers))?);
    }
    let (mut large, mut small) = (|| act(&large).map(drop), || act(&small).map(drop));
    let (big, little) = alternating(ROUNDS, &mut large, &mut small)?;
    let detail = "an act on 20 MB, against one on 20 KB";
    lines.push(line("sign-large", big, little, Target::AtMost(1.1), detail));
    lines.push(size(&fill()?));
    Ok(lines)
}

fn against_primitives(
    name: &'static str,
    what: &str,
    target: f64,
    act: &mut dyn FnMut() -> BenchResult<Appended>,
) -> BenchResult<Line> {
    let increment = act()?.increment;
    let mut whole = || {
        drop(black_box(act()?));
        Ok(())
    };
    let mut primitives = || {
        let key = LocalKey::generate()?;
        let digest = Sha256::digest(&increment).into();
        black_box((key.sign(&digest)?, key.sign(&digest)?, key.sign(&digest)?));
        Ok(())
    };
    let (ours, floor) = alternating(ROUNDS, &mut whole, &mut primitives)?;
    let detail = format!("{what}, {} bytes, against its primitives", increment.len());
    Ok(line(name, ours, floor, Target::AtMost(target), &detail))
}

fn size(act: &Appended) -> Line {
    #[expect(clippy::cast_precision_loss, reason = "an increment has few bytes")]
    let kilobytes = act.increment.len() as f64 / 1024.0;
    Line {
        name: "increment",
        value: kilobytes,
        spread: None,
        unit: " KB",
        target: Target::AtMost(24.0),
        detail: "what an act appends, timestamp included".to_owned(),
    }
}
