//! The names that certificates bear.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority_tools;
mod cms_tools;

use authority_tools::{authority, person, rng, years};
use cms_tools::{OpenSsl, P256, SIGNING};
use pki::authority::{Country, DocumentKind, IdentityDocument, NameError, Subject};

fn country() -> Country {
    Country::new("CO").unwrap()
}

fn subject(name: &str, number: &str) -> Result<Subject, NameError> {
    Subject::of_person(
        name,
        &IdentityDocument {
            kind: DocumentKind::IdentityCard,
            country: country(),
            number,
        },
    )
}

#[test]
fn a_certificate_says_who_signs() {
    let issuer = authority().issuer().clone();
    let kinds = [
        (DocumentKind::IdentityCard, "IDCCO-A.1/2-3"),
        (DocumentKind::Passport, "PASCO-A.1/2-3"),
        (DocumentKind::PersonalNumber, "PNOCO-A.1/2-3"),
        (DocumentKind::TaxNumber, "TINCO-A.1/2-3"),
        (
            DocumentKind::National(Country::new("CE").unwrap()),
            "CE:CO-A.1/2-3",
        ),
    ];
    for (kind, expected) in kinds {
        let document = IdentityDocument {
            kind,
            country: country(),
            number: "A.1/2-3",
        };
        let subject = Subject::of_person(" Zoë O'Neill, 王 ", &document).unwrap();
        let one_shot = issuer.one_shot(&subject, years(1), &rng()).unwrap();
        let certificate = one_shot.certificate();
        assert_eq!(certificate.common_name().unwrap(), "Zoë O'Neill, 王");
        assert_eq!(certificate.subject_serial_number().unwrap(), expected);
    }
}

#[test]
fn a_long_name_is_cut_in_one_place_and_whole_in_another() {
    let name = "Ñ".repeat(63) + " " + &"o".repeat(100);
    let issuer = authority().issuer().clone();
    let one_shot = issuer.one_shot(&person(&name, "1"), years(1), &rng()).unwrap();
    assert_eq!(one_shot.certificate().common_name().unwrap(), "Ñ".repeat(63));
    assert!(one_shot.certificate().subject().contains(&format!("name={name}")));
}

#[test]
fn letters_of_every_plane_are_kept_and_what_is_not_seen_is_left_out() {
    let issuer = authority().issuer().clone();
    let shown = |name: &str| {
        let one_shot = issuer.one_shot(&person(name, "1"), years(1), &rng()).unwrap();
        one_shot.certificate().common_name().unwrap()
    };
    assert_eq!(shown("Ana 𞤀𞤣 𐐀𐐨 𠮷 𰀀"), "Ana 𞤀𞤣 𐐀𐐨 𠮷 𰀀");
    assert_eq!(shown("A\u{200d}n\u{ad}a\u{3164} 🙂\u{fe0f}"), "Ana");
}

#[test]
fn what_cannot_be_shown_safely_is_refused() {
    assert_eq!(subject("  ", "1"), Err(NameError::Empty("name")));
    assert_eq!(subject(&"a".repeat(257), "1"), Err(NameError::TooLong("name")));
    for name in ["a\0b", "a\nb", "a\u{202e}b", "a\u{2066}b"] {
        assert_eq!(subject(name, "1"), Err(NameError::Characters("name")), "{name:?}");
    }
    assert_eq!(subject("Ana", ""), Err(NameError::Empty("document number")));
    assert_eq!(
        subject("Ana", &"1".repeat(49)),
        Err(NameError::TooLong("document number"))
    );
    for number in ["1 2", "1,CN=x", "ñ"] {
        assert_eq!(
            subject("Ana", number),
            Err(NameError::Characters("document number")),
            "{number}"
        );
    }
    for code in ["", "co", "COL", "C1"] {
        assert!(Country::new(code).is_err(), "{code}");
    }
}

/// Names of other authorities, in the string types they use.
#[test]
fn foreign_names_are_read() {
    let tools = OpenSsl::new();
    let certificate = tools.signer("Zoe", P256, SIGNING);
    assert_eq!(certificate.subject(), "CN=Zoe, C=CO");
    assert_eq!(certificate.issuer(), "CN=Test root");
    for mask in ["MASK:0x800", "MASK:0x4"] {
        let settings =
            format!("[req]\nprompt=no\nutf8=yes\nstring_mask={mask}\ndistinguished_name=dn\n[dn]\nCN=Zoë\n");
        tools.write("settings", settings.as_bytes());
        tools.run(&[
            "req", "-x509", "-new", "-key", "ca.key", "-config", "settings", "-out", "wide.pem",
        ]);
        assert_eq!(tools.certificate("wide").common_name().unwrap(), "Zoë", "{mask}");
    }
}
