//! What inspecting, signing and verifying cost next to what they cannot do without.
//!
//! `cargo run --release -p pades --example engine_cost`

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use jiff::Timestamp;
use pades::authority::{
    Country, Document, DocumentKind, Issuer, LocalKey, Role, Root, Signer, Subject, Validity,
};
use pades::inspect::{Limits, inspect};
use pades::prepare::Prepared;
use pades::sign::{Appended, Field, NewSignature};
use pades::time::{BASELINE_POLICY, Imprint, TimeStampAuthority, TimeStampRequest};
use pades::verify::{Policy, verify};
use sha2::{Digest, Sha256};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// An authority, and what a signer's act needs of it.
struct Office {
    root: Root,
    issuer: Issuer,
    clock: TimeStampAuthority<LocalKey>,
    signer: Subject,
    validity: Validity,
    now: Timestamp,
    rng: SystemRandom,
}

impl Office {
    fn open() -> Outcome<Self> {
        let rng = SystemRandom::new();
        let now: Timestamp = "2026-11-15T12:00:00Z".parse()?;
        let name = |text| Subject::of_installation(text, None, None);
        let validity = Validity::of_years(now, 10)?;
        let root = Root::create(
            Arc::new(LocalKey::generate()?),
            &name("Raíz")?,
            Validity::of_years(now, 30)?,
            &rng,
        )?;
        let issuer = root.issuer(
            Arc::new(LocalKey::generate()?),
            &name("Emisor")?,
            Validity::of_years(now, 20)?,
            &rng,
        )?;
        let credential = issuer.credential(
            Role::TimeStamping,
            LocalKey::generate()?,
            &name("Estampado")?,
            validity,
            &rng,
        )?;
        let clock = TimeStampAuthority::new(credential, BASELINE_POLICY)?;
        let document = Document {
            kind: DocumentKind::IdentityCard,
            country: Country::new("CO")?,
            number: "1020304050",
        };
        let signer = Subject::of_person("Ana María Restrepo", &document)?;
        Ok(Self {
            root,
            issuer,
            clock,
            signer,
            validity,
            now,
            rng,
        })
    }

    fn stamp(&self, digest: &[u8; 32]) -> Outcome<Vec<u8>> {
        let request = TimeStampRequest::without_nonce(Imprint::sha256(digest));
        Ok(self
            .clock
            .stamp(&request, self.now, &self.rng)
            .map_err(|failure| format!("{failure:?}"))?)
    }

    /// A signer's act: one-shot key and certificate, signature, increment.
    fn act(&self, state: &Prepared, field: &str, stamped: bool) -> Outcome<Appended> {
        let key = self.issuer.one_shot(&self.signer, self.validity, &self.rng)?;
        let reserve = key.reserve(if stamped { 3_000 } else { 0 });
        let unsigned = state.sign(&NewSignature::new(Field::Invisible(field), self.now, reserve))?;
        let signature = key.sign(unsigned.digest())?;
        let token = if stamped {
            Some(self.stamp(&signature.timestamp_digest())?)
        } else {
            None
        };
        Ok(unsigned.embed(&signature.finish(token.as_deref()))?)
    }
}

/// A document of about this many bytes, most of them one picture.
fn document(size: usize, rng: &SystemRandom) -> Outcome<Vec<u8>> {
    let mut picture = vec![0; size.saturating_sub(900)];
    rng.fill(&mut picture)?;
    let text = "BT /F1 12 Tf 72 720 Td (Contrato) Tj ET";
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    let stream = |dict: &str, data: &[u8]| {
        [
            format!("<<{dict}/Length {}>>\nstream\n", data.len()).as_bytes(),
            data,
            b"\nendstream",
        ]
        .concat()
    };
    for body in [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>".to_vec(),
        stream("", text.as_bytes()),
        stream("/Type/XObject/Subtype/Image/Width 9/Height 9", &picture),
    ] {
        offsets.push(out.len());
        out.extend_from_slice(format!("{} 0 obj\n", offsets.len()).as_bytes());
        out.extend_from_slice(&body);
        out.extend_from_slice(b"\nendobj\n");
    }
    let start = out.len();
    out.extend_from_slice(b"xref\n0 6\n0000000000 65535 f\r\n");
    for offset in offsets {
        out.extend_from_slice(format!("{offset:010} 00000 n\r\n").as_bytes());
    }
    out.extend_from_slice(format!("trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").as_bytes());
    Ok(out)
}

fn prepared(bytes: &[u8]) -> Outcome<Prepared> {
    Ok(inspect(bytes, &Limits::default())?.prepare(Sha256::new_with_prefix(bytes)))
}

/// The processor's time for one run, over enough of them for its coarse clock; what other programs take of the
/// machine is not counted.
fn cost(rounds: u32, mut work: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
    work()?;
    let start = processor_time()?;
    for _ in 0..rounds {
        work()?;
    }
    Ok(processor_time()?.saturating_sub(start) / rounds)
}

fn processor_time() -> Outcome<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("no schedstat")?;
    Ok(Duration::from_nanos(nanoseconds.parse()?))
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

fn main() -> Outcome<()> {
    let office = Office::open()?;
    let large = document(10 << 20, &office.rng)?;
    let hashing = cost(40, || {
        black_box(Sha256::digest(&large));
        Ok(())
    })?;
    let preparing = cost(40, || {
        black_box(prepared(&large)?);
        Ok(())
    })?;
    println!(
        "inspect and prepare 10 MB / SHA-256 of it    {:.2} (at most 1.5)",
        ratio(preparing, hashing)
    );

    let signing = |size: usize| -> Outcome<(Duration, usize)> {
        let stored = prepared(&document(size, &office.rng)?)?.to_bytes();
        let act = || office.act(&Prepared::from_bytes(&stored)?, "Firma", false);
        let length = act()?.increment.len();
        let spent = cost(4_000, || {
            drop(black_box(act()?));
            Ok(())
        })?;
        Ok((spent, length))
    };
    let (small, length) = signing(20_000)?;
    let (big, _) = signing(20 << 20)?;
    let increment = vec![0u8; length];
    let primitives = cost(4_000, || {
        let key = LocalKey::generate()?;
        let digest = Sha256::digest(&increment).into();
        black_box((key.sign(&digest)?, key.sign(&digest)?));
        Ok(())
    })?;
    println!(
        "sign a prepared document / its primitives    {:.2} (at most 2)",
        ratio(small, primitives)
    );
    println!(
        "the same on 20 MB / on 20 KB                 {:.2} (at most 1.1)",
        ratio(big, small)
    );

    let mut bytes = document(1 << 20, &office.rng)?;
    let mut state = prepared(&bytes)?;
    for signer in 0..10 {
        let Appended { increment, next, .. } = office.act(&state, &format!("Firma{signer}"), true)?;
        if signer == 0 {
            println!(
                "bytes of an increment, with timestamp        {length}, {} (at most 24,576)",
                increment.len()
            );
        }
        bytes.extend_from_slice(&increment);
        state = next;
    }
    let until = Timestamp::from_second(office.now.as_second() + 31_536_000)?;
    let lists = [
        office.root.crl(1, office.now, until, &[])?,
        office.issuer.crl(1, office.now, until, &[])?,
    ];
    let lists: Vec<&[u8]> = lists.iter().map(Vec::as_slice).collect();
    let Appended { increment, next, .. } =
        state.add_evidence(&[office.issuer.certificate().as_der()], &lists)?;
    bytes.extend_from_slice(&increment);
    let unsigned = next.timestamp("Archivo", 4_096)?;
    let token = office.stamp(unsigned.digest())?;
    bytes.extend_from_slice(&unsigned.embed(&token)?.increment);
    let roots = [office.root.certificate().clone()];
    let verifying = cost(60, || {
        black_box(verify(&bytes, &Policy::new(&roots, office.now)));
        Ok(())
    })?;
    println!(
        "verify 1 MB with ten signers, B-LTA          {verifying:?}, {:?}",
        verify(&bytes, &Policy::new(&roots, office.now)).verdict
    );
    Ok(())
}
