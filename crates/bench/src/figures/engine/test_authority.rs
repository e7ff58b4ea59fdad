//! An authority and a document of any size: what the PDF engine's figures work with.

use super::BenchResult;
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use jiff::Timestamp;
use pades::sheet::{Act, Colour, Fact, Sheet, Signer, appearance};
use pades::sign::{Field, NewSignature, Permission, add_validation_data, sign, timestamp};
use pdf::Limits;
use pdf::increment::Appended;
use pdf::inspect::inspect;
use pdf::prepare::Prepared;
use pki::authority::{
    Country, DocumentKind, IdentityDocument, Issuer, LocalKey, Role, Root, Subject, Validity,
};
use pki::time::{BASELINE_POLICY, Imprint, TimeStampAuthority, TimeStampRequest};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::Arc;

const ACCENT: Colour = Colour(0x1f, 0x4e, 0x79);

/// An authority, and what a signer's act needs of it.
pub(super) struct TestAuthority {
    pub(super) root: Root,
    issuer: Issuer,
    clock: TimeStampAuthority<LocalKey>,
    signer: Subject,
    validity: Validity,
    pub(super) now: Timestamp,
    rng: SystemRandom,
}

impl TestAuthority {
    pub(super) fn open() -> BenchResult<Self> {
        let rng = SystemRandom::new();
        // pyHanko judges by the system's clock, so the certificates must be good now.
        let now = Timestamp::from_second(app::Clock::System.now().as_micros() / 1_000_000)?;
        let name = |text| Subject::of_installation(text, None, None);
        let validity = Validity::of_years(now, 10)?;
        let (root_key, issuer_key) = (Arc::new(LocalKey::generate()?), Arc::new(LocalKey::generate()?));
        let root = Root::create(root_key, &name("Raíz")?, Validity::of_years(now, 30)?, &rng)?;
        let issuer = root.issuer(issuer_key, &name("Emisor")?, Validity::of_years(now, 20)?, &rng)?;
        let key = LocalKey::generate()?;
        let credential = issuer.credential(Role::TimeStamping, key, &name("Estampado")?, validity, &rng)?;
        let clock = TimeStampAuthority::new(credential, BASELINE_POLICY)?;
        let (kind, country) = (DocumentKind::IdentityCard, Country::new("CO")?);
        let document = IdentityDocument {
            kind,
            country,
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

    fn stamp(&self, digest: &[u8; 32]) -> BenchResult<Vec<u8>> {
        let request = TimeStampRequest::without_nonce(Imprint::sha256(digest));
        let stamped = self.clock.stamp(&request, self.now, &self.rng);
        Ok(stamped.map_err(|failure| format!("{failure:?}"))?)
    }

    /// A signer's act: one-shot key and certificate, signature, timestamp, increment.
    pub(super) fn act(&self, state: &Prepared, field: &str) -> BenchResult<Appended> {
        self.sign(state, &NewSignature::new(Field::Invisible(field), self.now, 0))
    }

    /// Certifies a document, with a sheet for its signers.
    pub(super) fn certify(&self, state: &Prepared, signers: usize) -> BenchResult<Appended> {
        let fields: Vec<String> = (1..=signers).map(|place| format!("Firma{place}")).collect();
        let signers: Vec<Signer<'_>> = fields
            .iter()
            .map(|field| Signer {
                field,
                name: "María Fernanda Gutiérrez Ñáñez",
                role: "Arrendataria",
            })
            .collect();
        let facts = [
            ("Folio", "2026-000123"),
            ("Archivo", "contrato-arrendamiento-apto-502.pdf"),
            ("Enviado por", "Inmobiliaria El Roble Ltda., NIT 900.123.456-7"),
        ];
        let sheet = Sheet {
            title: "Contrato de arrendamiento de vivienda urbana",
            facts: &facts.map(|(label, value)| Fact { label, value }),
            reference: "Folio 2026-000123",
            address: "https://firmas.example.co/v/01JC9Q7Z3M8X4T5B6N2K",
            signers: &signers,
            accent: ACCENT,
            language: pades::Language::Spanish,
        };
        let request = NewSignature {
            certify: Some(Permission::FillAndSign),
            sheet: Some(sheet),
            ..NewSignature::new(Field::Invisible("Certifica"), self.now, 0)
        };
        self.sign(state, &request)
    }

    /// A signer's act in a field of the sheet, drawn.
    pub(super) fn fill(&self, state: &Prepared, field: &str) -> BenchResult<Appended> {
        let time = self.now.to_zoned(jiff::tz::TimeZone::UTC);
        let act = Act {
            name: "María Fernanda Gutiérrez Ñáñez",
            role: "Arrendataria",
            document: "Cédula de ciudadanía 52.123.456",
            time: &time,
            address: "190.24.118.33",
            channel: "Código enviado a m•••a@correo.example.co",
            consent: "versión 1.es, huella e14b3a5ede58bfe7",
            picture: None,
            accent: ACCENT,
            language: pades::Language::Spanish,
        };
        let request = NewSignature {
            appearance: Some(appearance(state, field, &act)?),
            ..NewSignature::new(Field::Existing(field), self.now, 0)
        };
        self.sign(state, &request)
    }

    fn sign(&self, state: &Prepared, request: &NewSignature<'_>) -> BenchResult<Appended> {
        let key = self.issuer.one_shot(&self.signer, self.validity, &self.rng)?;
        let reserve = key.reserve(self.clock.reserve());
        let unsigned = sign(
            state,
            &NewSignature {
                reserve,
                ..request.clone()
            },
        )?;
        let signature = key.sign(unsigned.digest())?;
        let token = self.stamp(&signature.timestamp_digest())?;
        Ok(unsigned.embed(&signature.finish(Some(&token)))?)
    }

    /// A document signed by so many, with validation data and a timestamp over all of it.
    pub(super) fn lasting(&self, size: usize, signers: usize) -> BenchResult<Vec<u8>> {
        let mut bytes = self.document(size)?;
        let mut state = prepared(&bytes)?;
        for signer in 0..signers {
            let Appended { increment, next, .. } = self.act(&state, &format!("Firma{signer}"))?;
            bytes.extend_from_slice(&increment);
            state = next;
        }
        let until = Timestamp::from_second(self.now.as_second() + 31_536_000)?;
        let lists = [
            self.root.crl(1, self.now, until, &[])?,
            self.issuer.crl(1, self.now, until, &[])?,
        ];
        let lists: Vec<&[u8]> = lists.iter().map(Vec::as_slice).collect();
        let listed = add_validation_data(&state, &[self.issuer.certificate().as_der()], &lists, &[])?;
        bytes.extend_from_slice(&listed.increment);
        let unsigned = timestamp(&listed.next, "Archivo", 4_096)?;
        let token = self.stamp(unsigned.digest())?;
        bytes.extend_from_slice(&unsigned.embed(&token)?.increment);
        Ok(bytes)
    }

    /// A document of about this many bytes, most of them one picture that nothing compresses.
    pub(super) fn document(&self, size: usize) -> BenchResult<Vec<u8>> {
        let mut picture = vec![0; size.saturating_sub(900)];
        self.rng.fill(&mut picture)?;
        let text = b"BT /F1 12 Tf 72 720 Td (Contrato) Tj ET";
        let stream = |dict: &str, data: &[u8]| {
            let head = format!("<<{dict}/Length {}>>\nstream\n", data.len());
            [head.as_bytes(), data, b"\nendstream"].concat()
        };
        let mut out = b"%PDF-1.7\n".to_vec();
        let mut table = "xref\n0 6\n0000000000 65535 f\r\n".to_owned();
        for (place, body) in [
            b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
            b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>".to_vec(),
            b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>".to_vec(),
            stream("", text),
            stream("/Type/XObject/Subtype/Image/Width 9/Height 9", &picture),
        ]
        .iter()
        .enumerate()
        {
            let _ = write!(table, "{:010} 00000 n\r\n", out.len());
            out.extend_from_slice(format!("{} 0 obj\n", place + 1).as_bytes());
            out.extend_from_slice(body);
            out.extend_from_slice(b"\nendobj\n");
        }
        let start = out.len();
        let trailer = format!("{table}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
        out.extend_from_slice(trailer.as_bytes());
        Ok(out)
    }
}

/// The document looked at and hashed once, as an upload is.
pub(super) fn prepared(bytes: &[u8]) -> BenchResult<Prepared> {
    Ok(inspect(bytes, &Limits::default())?.prepare(Sha256::new_with_prefix(bytes)))
}
