//! The names in certificates: of the installation, and of the people who sign.

use crate::cms::name::is_safe;
use crate::cms::oid;
use crate::cms::write_der::{self, PRINTABLE_STRING, SEQUENCE, SET, UTF8_STRING};
use crate::escape::is_deceptive;
use der::asn1::ObjectIdentifier;

/// Characters of `commonName` and most other attributes.
const MAX_ATTRIBUTE_CHARS: usize = 64;
const MAX_PERSON_CHARS: usize = 256;
const MAX_NUMBER_BYTES: usize = 48;

/// Why a name is not accepted for a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing, or only spaces.
    #[error("the {0} is empty")]
    Empty(&'static str),
    /// More characters than a certificate may hold.
    #[error("the {0} is too long")]
    TooLong(&'static str),
    /// Control characters, or characters that change the direction of writing.
    #[error("the {0} has characters that cannot be shown safely")]
    Characters(&'static str),
}

/// A country, as two capital letters (ISO 3166-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country([u8; 2]);

impl Country {
    /// From a code such as `CO`.
    pub fn new(code: &str) -> Result<Self, NameError> {
        match code.as_bytes() {
            [a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase() => Ok(Self([*a, *b])),
            _ => Err(NameError::Characters("country")),
        }
    }
}

/// The kinds of identity document (ETSI EN 319 412-1, section 5.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// National identity card: `IDC`.
    IdentityCard,
    /// Passport: `PAS`.
    Passport,
    /// National personal number: `PNO`.
    PersonalNumber,
    /// Tax number: `TIN`.
    TaxNumber,
    /// A scheme that the country defines, by its two capital letters, such as `CE`.
    National(Country),
}

/// The identity document of a person.
#[derive(Clone, Copy, Debug)]
pub struct IdentityDocument<'a> {
    /// Its kind.
    pub kind: DocumentKind,
    /// The country that issued it.
    pub country: Country,
    /// Its number: letters, digits, and `-`, `.`, `/`.
    pub number: &'a str,
}

impl IdentityDocument<'_> {
    /// The identifier that goes into `serialNumber`, such as `IDCCO-1020304050`.
    fn identifier(&self) -> Result<Vec<u8>, NameError> {
        const WHAT: &str = "document number";
        let number = self.number.as_bytes();
        if number.is_empty() {
            return Err(NameError::Empty(WHAT));
        }
        if number.len() > MAX_NUMBER_BYTES {
            return Err(NameError::TooLong(WHAT));
        }
        if !number
            .iter()
            .all(|octet| octet.is_ascii_alphanumeric() || b"-./".contains(octet))
        {
            return Err(NameError::Characters(WHAT));
        }
        let kind = match self.kind {
            DocumentKind::IdentityCard => *b"IDC",
            DocumentKind::Passport => *b"PAS",
            DocumentKind::PersonalNumber => *b"PNO",
            DocumentKind::TaxNumber => *b"TIN",
            DocumentKind::National(Country([a, b])) => [a, b, b':'],
        };
        Ok([&kind, self.country.0.as_slice(), b"-", number].concat())
    }
}

/// The subject of a certificate: a checked and encoded name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(Vec<u8>);

impl Subject {
    /// The name of a part of the installation: an authority, the timestamping, the service.
    pub fn of_installation(
        common_name: &str,
        organization: Option<&str>,
        country: Option<Country>,
    ) -> Result<Self, NameError> {
        let common_name = checked("name", common_name, MAX_ATTRIBUTE_CHARS)?;
        let organization = organization
            .map(|name| checked("organization", name, MAX_ATTRIBUTE_CHARS))
            .transpose()?;
        Ok(Self::laid(|out| {
            if let Some(Country(code)) = country {
                attribute(out, &oid::COUNTRY, PRINTABLE_STRING, &code);
            }
            if let Some(organization) = organization {
                attribute(out, &oid::ORGANIZATION, UTF8_STRING, organization.as_bytes());
            }
            attribute(out, &oid::COMMON_NAME, UTF8_STRING, common_name.as_bytes());
        }))
    }

    /// The name of a person who signs. `commonName` holds 64 characters: a longer name is cut there and is in full in
    /// the attribute `name`. Emoji and invisible characters are left out, since readers cannot compare them; a name
    /// that has nothing else is replaced by the number of the identity document.
    pub fn of_person(name: &str, document: &IdentityDocument<'_>) -> Result<Self, NameError> {
        let name = checked("name", name, MAX_PERSON_CHARS)?;
        let identifier = document.identifier()?;
        let written: String = name
            .chars()
            .filter(|c| !is_picture(*c) && !is_deceptive(*c))
            .collect();
        let name = match written.trim() {
            "" => document.number,
            written => written,
        };
        let cut = name
            .char_indices()
            .nth(MAX_ATTRIBUTE_CHARS)
            .map(|(at, _)| name[..at].trim_end());
        Ok(Self::laid(|out| {
            attribute(out, &oid::COUNTRY, PRINTABLE_STRING, &document.country.0);
            attribute(
                out,
                &oid::COMMON_NAME,
                UTF8_STRING,
                cut.unwrap_or(name).as_bytes(),
            );
            attribute(out, &oid::SERIAL_NUMBER, PRINTABLE_STRING, &identifier);
            if cut.is_some() {
                attribute(out, &oid::NAME, UTF8_STRING, name.as_bytes());
            }
        }))
    }

    fn laid(attributes: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut out = Vec::with_capacity(160);
        write_der::nested(&mut out, SEQUENCE, attributes);
        Self(out)
    }

    /// The DER of the name.
    pub fn as_der(&self) -> &[u8] {
        &self.0
    }
}

fn attribute(out: &mut Vec<u8>, oid: &ObjectIdentifier, tag: u8, text: &[u8]) {
    write_der::nested(out, SET, |out| {
        write_der::nested(out, SEQUENCE, |out| {
            write_der::oid(out, oid);
            write_der::value(out, tag, text);
        });
    });
}

/// Emoji and other symbols, but no letters: names may have letters of every plane.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}') || c > '\u{ffff}' && !c.is_alphanumeric()
}

fn checked<'a>(what: &'static str, text: &'a str, limit: usize) -> Result<&'a str, NameError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NameError::Empty(what));
    }
    if text.chars().count() > limit {
        return Err(NameError::TooLong(what));
    }
    if text.chars().all(is_safe) {
        Ok(text)
    } else {
        Err(NameError::Characters(what))
    }
}
