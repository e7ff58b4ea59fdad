//! What a one-shot signature costs next to the primitives it cannot do without.
//!
//! `cargo run --release -p pades --example one_shot_cost`

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair};
use pades::authority::{Country, Document, DocumentKind, LocalKey, Role, Root, Subject, Validity};
use pades::cms::{Profile, SignedData};
use pades::time::{BASELINE_POLICY, Imprint, TimeStampAuthority, TimeStampRequest};
use sha2::{Digest as _, Sha256};

const ROUNDS: usize = 200;
const BATCH: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let rng = SystemRandom::new();
    let now = "2026-11-15T12:00:00Z".parse()?;
    let country = Country::new("CO")?;
    let root_name = Subject::of_installation("Raíz", None, Some(country))?;
    let root = Root::create(
        Arc::new(LocalKey::generate()?),
        &root_name,
        Validity::of_years(now, 30)?,
        &rng,
    )?;
    let issuer_name = Subject::of_installation("Emisor", None, Some(country))?;
    let issuer_key = Arc::new(LocalKey::generate()?);
    let issuer = root.issuer(issuer_key, &issuer_name, Validity::of_years(now, 20)?, &rng)?;
    let issuer = issuer.with_crl_url("https://firma.example/emisor.crl")?;
    let document = Document {
        kind: DocumentKind::IdentityCard,
        country,
        number: "1020304050",
    };
    let validity = Validity::of_years(now, 10)?;
    let digest: [u8; 32] = Sha256::digest(b"document").into();
    let lasting = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING)?;

    let (mut primitives, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        primitives.push(timed(|| {
            let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING)?;
            black_box(lasting.sign(&rng, &digest)?);
            black_box(key.sign(&rng, &digest)?);
            Ok(())
        })?);
        whole.push(timed(|| {
            let person = Subject::of_person("Ana María Restrepo", &document)?;
            let signed = issuer.one_shot(&person, validity, &rng)?.sign(&digest)?;
            black_box(signed.finish(None));
            Ok(())
        })?);
    }
    let (primitives, whole) = (least(&primitives), least(&whole));
    let person = Subject::of_person("Ana María Restrepo", &document)?;
    let signed = issuer.one_shot(&person, validity, &rng)?.sign(&digest)?;
    let key = LocalKey::generate()?;
    let subject = Subject::of_installation("Estampado", None, Some(country))?;
    let credential = issuer.credential(Role::TimeStamping, key, &subject, validity, &rng)?;
    let tsa = TimeStampAuthority::new(credential, BASELINE_POLICY)?;
    let request = TimeStampRequest::without_nonce(Imprint::sha256(&signed.timestamp_digest()));
    let mut stamping = Vec::new();
    for _ in 0..ROUNDS {
        stamping.push(timed(|| {
            black_box(
                tsa.stamp(&request, now, &rng)
                    .map_err(|failure| format!("{failure:?}"))?,
            );
            Ok(())
        })?);
    }
    let token = tsa
        .stamp(&request, now, &rng)
        .map_err(|failure| format!("{failure:?}"))?;
    let cms = signed.clone().finish(None);
    let stamped = signed.finish(Some(&token));
    let mut verifying = Vec::new();
    for _ in 0..ROUNDS {
        verifying.push(timed(|| {
            black_box(SignedData::parse(&stamped)?.verify_detached(&digest, Profile::Cades)?);
            Ok(())
        })?);
    }
    println!("a timestamp of our own            {:?}", least(&stamping));
    println!("reading and verifying a CMS       {:?}", least(&verifying));
    println!(
        "octets of a CMS, with timestamp   {}, {}",
        cms.len(),
        stamped.len()
    );
    println!("key pair and two signatures       {primitives:?}");
    println!("key, certificate, signature, CMS  {whole:?}");
    println!(
        "ratio                             {:.2}",
        whole.as_secs_f64() / primitives.as_secs_f64()
    );
    Ok(())
}

fn timed(mut work: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    for _ in 0..BATCH {
        work()?;
    }
    Ok(start.elapsed() / BATCH)
}

/// The least disturbed batch: other programs only ever add time.
fn least(times: &[Duration]) -> Duration {
    times.iter().copied().min().unwrap_or_default()
}
