//! What a signer's act appends to a document: the sheet with the service's certification when it is the first, and
//! the signer's own signature with a certificate made for it alone.

use super::rotate::within;
use super::{ActiveCredentials, Notary, broken, texts, to_jiff};
use crate::Error;
use domain::event::hex;
use domain::picture::PICTURE_AREA;
use domain::{
    Channel, Document, DocumentType, Folio, FolioId, HistoryHead, LegalBasis, SignaturePicture, SignerIndex,
    Timestamp,
};
use pades::sheet::{Act, Colour, Fact, Picture, Sheet, SheetError, Signer, appearance};
use pades::sign::{Field, NewSignature, Permission, sign};
use pdf::prepare::Prepared;
use pki::authority::{Country, DocumentKind, IdentityDocument, Signed, Subject};
use pki::cms::Anchor;
use pki::time::Imprint;
use std::net::IpAddr;
use std::time::Duration;
use store::CompanyRow;

/// Years for which a signer's certificate is good, so that readers that ignore timestamps show no expiry.
const SIGNER_YEARS: u32 = 10;
pub(crate) const ACCENT: Colour = Colour(0x1f, 0x4e, 0x5f);
/// How the names of signers' fields begin.
pub const SIGNER_FIELDS: &str = "Firmante-";
/// The laws under which a signature with a code is an electronic signature in Colombia: what a company has that names no other.
pub(crate) const LEGAL_BASIS: &str = "Ley 527 de 1999 y Decreto 2364 de 2012 (Colombia)";

/// A signer's act on a folio.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignerAct<'a> {
    pub(crate) folio: &'a Folio,
    pub(crate) company: &'a CompanyRow,
    pub(crate) signer_index: SignerIndex,
    pub(crate) channel: Channel,
    /// The address or number that received the code.
    pub(crate) recipient: &'a str,
    /// A reference to the text that the signer accepted.
    pub(crate) consent: &'a str,
    /// What the signer drew or typed.
    pub(crate) picture: Option<&'a SignaturePicture>,
    pub(crate) address: Option<IpAddr>,
    pub(crate) at: Timestamp,
    /// The last event of the folio's history before the act.
    pub(crate) history: HistoryHead,
}

/// What an act appends to a document.
#[derive(Debug)]
pub(crate) struct SignedIncrement {
    pub(crate) bytes: Vec<u8>,
    pub(crate) next: Prepared,
    /// SHA-256 of the signer's certificate.
    pub(crate) certificate: [u8; 32],
}

impl Notary {
    /// How long a signer's certificate is good, unless its issuer ends sooner.
    pub const SIGNER_LIFETIME: Duration = Duration::from_hours(8_766 * SIGNER_YEARS as u64);

    /// Signs a document for a signer. `first` says that it has no sheet yet.
    pub(crate) fn sign(
        &self,
        act: &SignerAct<'_>,
        document: &Document,
        signing_state: &Prepared,
        first: bool,
    ) -> Result<SignedIncrement, Error> {
        let sheet = if first {
            self.sheet(act.folio, &act.company.name, document, signing_state, act.at)?
        } else {
            None
        };
        match sheet {
            Some((bytes, certified)) => self.sign_as_signer(act, &certified, bytes),
            None => self.sign_as_signer(act, signing_state, Vec::new()),
        }
    }

    /// The sheet of a document, with the service's certification: after it the document may only be signed. A
    /// document that came signed gets neither: its own signatures stay as they are.
    pub(crate) fn sheet(
        &self,
        folio: &Folio,
        company: &str,
        document: &Document,
        signing_state: &Prepared,
        at: Timestamp,
    ) -> Result<Option<(Vec<u8>, Prepared)>, Error> {
        if signing_state.signatures() > 0 {
            return Ok(None);
        }
        let language = folio.language;
        let own = texts::of(language);
        let fields: Vec<String> = folio
            .indexed_signers()
            .map(|(signer_index, _)| signer_field(folio.id, signer_index))
            .collect();
        let signers: Vec<Signer<'_>> = folio
            .signers
            .iter()
            .zip(&fields)
            .map(|(signer, field)| Signer {
                field,
                name: signer.name.as_str(),
                role: own.role,
            })
            .collect();
        let (id, folio_id) = (document.id.to_string(), folio.id.to_string());
        let is_test = self.settings.sandbox;
        let test = is_test.then_some(own.test);
        let facts = [
            (own.subject, folio.name.as_str()),
            (own.sender, company),
            (own.folio, &folio_id),
            (own.document, &id),
            (own.legal_basis, legal_basis(folio)),
        ];
        let facts: Vec<Fact<'_>> = test
            .into_iter()
            .chain(facts)
            .map(|(label, value)| Fact { label, value })
            .collect();
        let reference = if is_test {
            format!("{} {id}", own.test.0)
        } else {
            id.clone()
        };
        let address = self.verification_address(document.id);
        let name = format!("Servicio-{}", short(folio.id));
        let active = self.active();
        let certifier = self.certifier(&active, at)?;
        let reserve = certifier.reserve(self.timestamp_room(&active, at));
        let mut request = NewSignature::new(Field::Invisible(&name), to_jiff(at), reserve);
        request.certify = Some(Permission::FillAndSign);
        request.name = Some("Firmeza");
        request.reason = Some(own.certification);
        request.sheet = Some(Sheet {
            title: document.name.as_str(),
            facts: &facts,
            reference: &reference,
            address: &address,
            signers: &signers,
            accent: ACCENT,
            language: texts::of_sheet(language),
        });
        let unsigned = sign(signing_state, &request).map_err(broken)?;
        let signed = certifier.sign(unsigned.digest()).map_err(broken)?;
        let signed = self.timestamped(&active, signed, at)?;
        let appended = unsigned.embed(&signed).map_err(broken)?;
        Ok(Some((appended.increment, appended.next)))
    }

    fn sign_as_signer(
        &self,
        act: &SignerAct<'_>,
        signing_state: &Prepared,
        mut bytes: Vec<u8>,
    ) -> Result<SignedIncrement, Error> {
        let signer = &act.folio[act.signer_index];
        let language = act.folio.language;
        let own = texts::of(language);
        let at = to_jiff(act.at);
        let active = self.active();
        active.check()?;
        let (issuer, last) = active.issuer_of_signers(act.at);
        let validity = within(at, SIGNER_YEARS, last)?;
        let one_shot = issuer
            .one_shot(&subject(signer)?, validity, &self.random)
            .map_err(broken)?;
        let certificate = *one_shot.certificate().sha256();
        let field = signer_field(act.folio.id, act.signer_index);
        let shown = Act {
            name: signer.name.as_str(),
            role: own.role,
            document: &format!(
                "{} {}",
                signer.document_type.code(),
                signer.document_number.as_str()
            ),
            time: &at.to_zoned(self.zone(act.company.timezone.as_deref())),
            address: &act
                .address
                .map_or_else(String::new, |address| address.to_string()),
            channel: &texts::channel(language, act.channel, act.recipient),
            consent: act.consent,
            picture: act.picture.map(|picture| match picture {
                SignaturePicture::Drawn(strokes) => Picture::Drawn {
                    area: PICTURE_AREA,
                    strokes,
                },
                SignaturePicture::Typed(name) => Picture::Typed(name.as_str()),
            }),
            accent: ACCENT,
            language: texts::of_sheet(language),
        };
        let appearance = match appearance(signing_state, &field, &shown) {
            Ok(appearance) => Some(appearance),
            Err(SheetError::NoSuchField) => None,
            Err(error) => return Err(broken(error)),
        };
        let field_kind = if appearance.is_some() {
            Field::Existing(&field)
        } else {
            Field::Invisible(&field)
        };
        let reserve = one_shot.reserve_anchored(self.timestamp_room(&active, act.at));
        let mut request = NewSignature::new(field_kind, at, reserve);
        request.name = Some(signer.name.as_str());
        request.reason = Some(own.signature);
        request.appearance = appearance;
        let unsigned = sign(signing_state, &request).map_err(broken)?;
        let anchor = Anchor {
            number: u64::try_from(act.history.length).map_err(broken)?,
            hash: act.history.hash,
        };
        let made = one_shot
            .sign_anchored(unsigned.digest(), &anchor)
            .map_err(broken)?;
        let cms = self.timestamped(&active, made, act.at)?;
        let appended = unsigned.embed(&cms).map_err(broken)?;
        bytes.extend(appended.increment);
        Ok(SignedIncrement {
            bytes,
            next: appended.next,
            certificate,
        })
    }

    /// Room for the timestamp of a signature: none where another authority stamps, since an act waits for no network.
    fn timestamp_room(&self, active: &ActiveCredentials, at: Timestamp) -> usize {
        if self.settings.time_stamping.is_empty() {
            active.document_stamps(at).0.reserve()
        } else {
            0
        }
    }

    /// The CMS of a signature, with a timestamp of our own authority unless another one stamps when the document is
    /// extended. An authority whose certificate has ended keeps no signer from signing.
    fn timestamped(
        &self,
        active: &ActiveCredentials,
        signed: Signed,
        at: Timestamp,
    ) -> Result<Vec<u8>, Error> {
        let (stamps, stamping) = active.document_stamps(at);
        if !self.settings.time_stamping.is_empty() || !stamping.covers(to_jiff(at)) {
            return Ok(signed.finish(None));
        }
        let imprint = Imprint::sha256(&signed.timestamp_digest());
        let token = self.own_token(active, stamps, imprint, at)?;
        Ok(signed.finish(Some(&token)))
    }
}

/// The name of a signer's field in the documents of a folio: no document that came from elsewhere has it.
pub fn signer_field(folio: FolioId, signer_index: SignerIndex) -> String {
    format!("{SIGNER_FIELDS}{}-{}", signer_index.0 + 1, short(folio))
}

/// The law that a folio's sheet and its evidence name.
pub(crate) fn legal_basis(folio: &Folio) -> &str {
    folio.legal_basis.as_ref().map_or(LEGAL_BASIS, LegalBasis::as_str)
}

/// The part of a folio's identifier that is used in names of fields.
pub(super) fn short(folio: FolioId) -> String {
    let mut id = folio.to_string();
    id.truncate(12);
    id
}

/// The name in a signer's certificate.
fn subject(signer: &domain::Signer) -> Result<Subject, Error> {
    let country = Country::new("CO").map_err(broken)?;
    let national = |code| Country::new(code).map(DocumentKind::National).map_err(broken);
    let kind = match signer.document_type {
        DocumentType::CitizenCard => DocumentKind::IdentityCard,
        DocumentType::TaxNumber => DocumentKind::TaxNumber,
        DocumentType::ForeignerCard => national("CE")?,
        DocumentType::MinorCard => national("TI")?,
    };
    let number: String = signer.document_number.as_str().split(' ').collect();
    let identity = IdentityDocument {
        kind,
        country,
        number: &number,
    };
    Subject::of_person(signer.name.as_str(), &identity).map_err(broken)
}

/// The documents of an act, by identifier and hash, as they are after it.
pub(crate) fn result(document: &Document, sha256: &[u8; 32]) -> domain::event::DocumentRef {
    domain::event::DocumentRef {
        document: document.id,
        sha256: hex(sha256),
    }
}
