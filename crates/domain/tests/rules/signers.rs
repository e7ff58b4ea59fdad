//! Which signer a document number names, and which lists of signers a folio may have.

use crate::sample::{
    apply, at, contact, correction, created, details, first_email, new_signer, observation, own_contact,
    return_url, service,
};
use domain::folio::check_signers;
use domain::{
    BulkId, Change, Channel, Contact, Correction, DocumentNumber, DocumentType, EventKind, FieldError, Folio,
    FolioState, Mobile, PersonFields, Refusal, Role, SignerIndex, Template, limits,
};
use std::collections::BTreeSet;

/// A folio whose signers have these documents.
fn folio(documents: &[(DocumentType, &str)]) -> Folio {
    let mut folio = created(documents.len(), None).folio;
    for (signer, (document_type, number)) in folio.signers.iter_mut().zip(documents) {
        signer.document_type = *document_type;
        signer.document_number = DocumentNumber::new(*number).unwrap();
    }
    folio
}

#[test]
fn a_number_names_its_signer_as_the_card_shows_it() {
    use DocumentType::{CitizenCard, ForeignerCard, TaxNumber};
    let folio = folio(&[
        (CitizenCard, "1020304050"),
        (CitizenCard, "80-12"),
        (CitizenCard, "8012"),
        (ForeignerCard, "AB123c"),
        (TaxNumber, "9.9"),
    ]);
    let find = |document_type, number: &str| {
        folio.signer_by_document(document_type, &DocumentNumber::new(number).unwrap())
    };
    for (document_type, number, index) in [
        (CitizenCard, "1020304050", 0),
        (CitizenCard, "1.020.304.050", 0),
        (CitizenCard, "80-12", 1),
        (CitizenCard, "8012", 2),
        (ForeignerCard, "ab-123-C", 3),
        (TaxNumber, "99", 4),
    ] {
        assert_eq!(find(document_type, number), Ok(SignerIndex(index)), "{number}");
    }
    for (document_type, number) in [
        (CitizenCard, "80.12"),
        (CitizenCard, "1020304051"),
        (CitizenCard, "."),
        (ForeignerCard, "1020304050"),
        (ForeignerCard, "1.020.304.050"),
        (CitizenCard, "AB123c"),
    ] {
        assert_eq!(
            find(document_type, number),
            Err(Refusal::UnknownSigner),
            "{number}"
        );
    }
}

#[test]
fn a_folio_has_one_to_ten_signers_and_no_number_twice() {
    let signers = |count: usize| -> Vec<_> {
        (0..count)
            .map(|index| new_signer(index, DocumentType::CitizenCard, contact("a@example.com")))
            .collect()
    };
    assert_eq!(check_signers(&[]), Err(FieldError::Missing));
    assert_eq!(check_signers(&signers(1)), Ok(()));
    let max = limits::SIGNERS;
    assert_eq!(check_signers(&signers(max)), Ok(()));
    assert_eq!(check_signers(&signers(max + 1)), Err(FieldError::TooMany { max }));
    let twice = [signers(2), signers(1)].concat();
    assert_eq!(check_signers(&twice), Err(FieldError::Duplicate));
}

#[test]
fn limits_that_people_see_are_what_they_say() {
    assert_eq!(limits::LOGO_BYTES, 262_144);
    assert_eq!((limits::SIGNERS, limits::BULK_FOLIOS), (10, 50));
}

#[test]
fn kinds_of_documents_have_their_codes() {
    for (kind, code) in [
        (DocumentType::CitizenCard, "CC"),
        (DocumentType::ForeignerCard, "CE"),
        (DocumentType::TaxNumber, "NIT"),
        (DocumentType::MinorCard, "TI"),
    ] {
        assert_eq!((kind.code(), DocumentType::from_code(code)), (code, Ok(kind)));
    }
    assert_eq!(DocumentType::from_code(" "), Err(FieldError::Missing));
    assert!(DocumentType::from_code("XX").is_err_and(|error| error != FieldError::Missing));
}

#[test]
fn contacts_are_the_same_by_address_and_number() {
    let with_mobile = |email: &str, mobile: &str| Contact {
        mobile: Mobile::new(mobile).unwrap(),
        ..contact(email)
    };
    let own = with_mobile("a@example.com", "3001234567");
    assert!(own.reaches_the_same(&with_mobile("a@example.com", "+573001234567")));
    assert!(!own.reaches_the_same(&with_mobile("b@example.com", "3001234567")));
    assert!(!own.reaches_the_same(&with_mobile("a@example.com", "3001234568")));
    assert_eq!(own.recipient(Channel::Email), "a@example.com");
    assert_eq!(own.recipient(Channel::Sms), own.mobile.international());
}

/// What an act says of the signer with index 0.
fn changed(change: &Change) -> (String, bool, bool) {
    let signer = &change.signers[0];
    let email = signer.contact.email.as_str().to_owned();
    (email, signer.contact_corrected, signer.ends_sessions)
}

#[test]
fn a_corrected_contact_ends_sessions_and_the_same_one_does_not() {
    let folio = created(1, None).folio;
    let url = return_url("https://example.com/back");
    let resent = |email: &str| {
        let change = folio
            .resend(&[correction(0, email)], Some(&url), &service(), at(1))
            .unwrap();
        let tells_before = change
            .events
            .iter()
            .any(|event| matches!(&event.what, EventKind::Resent { before, .. } if before.is_some()));
        (changed(&change), tells_before)
    };
    let own = first_email(0);
    assert_eq!(resent(&own), ((own, false, false), false));
    let other = "other@example.com";
    assert_eq!(resent(other), ((other.to_owned(), true, true), true));
}

#[test]
fn a_corrected_number_ends_sessions_while_the_signer_can_act_and_is_no_other_signers() {
    let mut folio = created(2, None).folio;
    let as_corrected = |folio: &Folio, number: &str| {
        let now = PersonFields {
            name: folio.signers[0].name.clone(),
            document_number: DocumentNumber::new(number).unwrap(),
            contact: folio.signers[0].contact.clone(),
        };
        folio.correct_person(SignerIndex(0), &now, service(), at(1))
    };
    let (own, other) = (
        folio.signers[0].document_number.clone(),
        folio.signers[1].document_number.clone(),
    );
    let with_dots: String = other.as_str().chars().flat_map(|c| [c, '.']).collect();
    for taken in [other.as_str(), &with_dots] {
        assert_eq!(
            as_corrected(&folio, taken),
            Err(Refusal::RepeatedSigner),
            "{taken}"
        );
    }
    let tells_numbers = |change: &Change| match &change.events[0].what {
        EventKind::Corrected { before, now, .. } => {
            (before.document_number.clone(), now.document_number.clone())
        }
        other => panic!("{other:?}"),
    };
    let same = as_corrected(&folio, own.as_str()).unwrap();
    assert!(!same.signers[0].ends_sessions);
    assert_eq!(tells_numbers(&same), (None, None));
    let change = as_corrected(&folio, "555").unwrap();
    assert!(change.signers[0].ends_sessions && !change.signers[0].contact_corrected);
    assert_eq!(change.messages, [], "the contact is the same");
    let new = DocumentNumber::new("555").unwrap();
    assert_eq!(tells_numbers(&change), (Some(own), Some(new.clone())));
    folio.state = FolioState::Signed;
    let change = as_corrected(&folio, "555").unwrap();
    assert_eq!(change.signers[0].document_number, Some(new));
    assert!(!change.signers[0].ends_sessions, "there is nothing left to sign");
}

#[test]
fn a_correction_leaves_what_it_does_not_name() {
    let folio = created(1, None).folio;
    let url = return_url("https://example.com/elsewhere");
    let resent = |email: Option<&str>, mobile: Option<&str>| {
        let correction = Correction {
            email: email.map(|email| contact(email).email),
            mobile: mobile.map(|mobile| Mobile::new(mobile).unwrap()),
            ..correction(0, "unused@example.com")
        };
        let change = folio
            .resend(&[correction], Some(&url), &service(), at(1))
            .unwrap();
        let told = change
            .messages
            .iter()
            .map(|message| (message.template, message.recipient.clone()));
        let new = &change.signers[0].contact;
        (
            new.email.as_str().to_owned(),
            new.mobile.as_str().to_owned(),
            told.collect::<Vec<_>>(),
        )
    };
    let (email, mobile) = (first_email(0), "3001234567".to_owned());
    let reminder = |to: &str| (Template::Reminder, to.to_owned());
    assert_eq!(
        resent(None, None),
        (email.clone(), mobile.clone(), vec![reminder(&email)])
    );
    let told = vec![
        (Template::ContactChanged, email.clone()),
        reminder("other@example.com"),
    ];
    assert_eq!(
        resent(Some("other@example.com"), None),
        ("other@example.com".to_owned(), mobile.clone(), told)
    );
    let told = vec![
        (Template::ContactChanged, "+573001234567".to_owned()),
        reminder(&email),
    ];
    assert_eq!(
        resent(None, Some("3109876543")),
        (email, "3109876543".to_owned(), told)
    );
}

#[test]
fn the_return_address_of_a_resend_is_for_the_signers_listed() {
    let mut folio = created(2, None).folio;
    let url = return_url("https://example.com/elsewhere");
    let change = folio
        .resend(
            &[correction(1, "other@example.com")],
            Some(&url),
            &service(),
            at(1),
        )
        .unwrap();
    apply(&mut folio, &change);
    assert_eq!(
        folio.return_url_of(SignerIndex(0)).as_str(),
        "https://example.com/back"
    );
    assert_eq!(folio.return_url_of(SignerIndex(1)), &url);
    let own = [correction(0, &first_email(0)), correction(1, "other@example.com")];
    let change = folio.resend(&own, None, &service(), at(2)).unwrap();
    let told: Vec<_> = change
        .events
        .iter()
        .map(|event| match &event.what {
            EventKind::Resent { return_url, .. } => return_url.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(told, [folio.return_url.clone(), url.clone()]);
    apply(&mut folio, &change);
    assert_eq!(folio.signers[0].return_url, None);
    assert_eq!(folio.return_url_of(SignerIndex(1)), &url);
}

#[test]
fn about_a_quiet_folio_the_service_writes_only_when_asked() {
    let mut folio = created(2, None).folio;
    folio.send_email = false;
    let recipients = |change: &Change| -> Vec<String> {
        change
            .messages
            .iter()
            .map(|message| message.recipient.clone())
            .collect()
    };
    let none: Vec<String> = Vec::new();
    let (first, second) = (SignerIndex(0), SignerIndex(1));
    let reason = observation("Not what we agreed on.");
    let rejected = folio.reject(first, &own_contact(&folio, 0), &reason, None, service(), at(1));
    assert_eq!(recipients(&rejected.unwrap()), none);
    let cancelled = |knowing: &[SignerIndex]| {
        let knowing = knowing.iter().copied().collect();
        recipients(&folio.cancel(&reason, &knowing, service(), at(1)).unwrap())
    };
    assert_eq!(cancelled(&[]), none);
    assert_eq!(cancelled(&[second]), [first_email(1)]);
    let url = return_url("https://example.com/back");
    let resent = folio.resend(&[correction(0, &first_email(0))], Some(&url), &service(), at(1));
    assert_eq!(recipients(&resent.unwrap()), [first_email(0)]);
    for signer_index in [first, second] {
        let contact = own_contact(&folio, signer_index.0);
        let signed = folio
            .sign(signer_index, &contact, details(), service(), at(2))
            .unwrap();
        assert_eq!(recipients(&signed), none);
        apply(&mut folio, &signed);
    }
    assert_eq!(folio.state, FolioState::Signed);
}

#[test]
fn a_bulk_signature_tells_a_signer_who_acted_from_a_folio_that_ended() {
    let start = |folio: &Folio, place: usize| {
        let signer = new_signer(place, DocumentType::CitizenCard, own_contact(folio, place));
        folio
            .start_bulk(BulkId::from_bytes([1; 16]), &signer, service(), at(9))
            .map(drop)
    };
    let folio = created(2, Some(at(5))).folio;
    assert_eq!(start(&folio, 0), Err(Refusal::Expired));
    let mut half = folio.clone();
    let signed = folio.sign(
        SignerIndex(0),
        &own_contact(&folio, 0),
        details(),
        service(),
        at(1),
    );
    apply(&mut half, &signed.unwrap());
    assert_eq!(start(&half, 0), Err(Refusal::AlreadyActed));
    let why = observation("Not what we agreed on.");
    let mut cancelled = half.clone();
    let change = half.cancel(&why, &BTreeSet::new(), service(), at(2)).unwrap();
    apply(&mut cancelled, &change);
    assert_eq!(start(&cancelled, 0), Err(Refusal::NotPending));
    let mut rejected = half.clone();
    let change = half
        .reject(
            SignerIndex(1),
            &own_contact(&half, 1),
            &why,
            None,
            service(),
            at(2),
        )
        .unwrap();
    apply(&mut rejected, &change);
    assert_eq!(start(&rejected, 1), Err(Refusal::AlreadyActed));
    assert_eq!(start(&rejected, 0), Err(Refusal::NotPending));
}

#[test]
fn the_contact_whose_code_acted_is_the_signers_from_then_on() {
    let folio = created(2, None).folio;
    let other = contact("other@example.com");
    let own = own_contact(&folio, 0);
    let signed = |contact: &Contact| {
        changed(
            &folio
                .sign(SignerIndex(0), contact, details(), service(), at(1))
                .unwrap(),
        )
    };
    let reason = observation("Not what we agreed on.");
    let rejected = |contact: &Contact| {
        changed(
            &folio
                .reject(SignerIndex(0), contact, &reason, None, service(), at(1))
                .unwrap(),
        )
    };
    for act in [&signed as &dyn Fn(&Contact) -> (String, bool, bool), &rejected] {
        assert_eq!(act(&own), (first_email(0), false, true));
        assert_eq!(act(&other), ("other@example.com".to_owned(), true, true));
    }
}

#[test]
fn roles_are_written_as_they_are_read() {
    for role in [Role::Reader, Role::Supervisor, Role::Administrator] {
        assert_eq!(role.to_string().parse(), Ok(role));
    }
}

#[test]
fn a_bulk_signature_with_another_contact_tells_the_folios_own() {
    let folio = created(1, None).folio;
    let started = |contact: Contact| {
        let signer = new_signer(0, DocumentType::CitizenCard, contact);
        let bulk = BulkId::from_bytes([1; 16]);
        let (event, messages) = folio.start_bulk(bulk, &signer, service(), at(1)).unwrap();
        let EventKind::BulkStarted { contact, .. } = event.what else {
            panic!("{event:?}");
        };
        let told: Vec<_> = messages.into_iter().map(|message| message.recipient).collect();
        (contact.is_some(), told)
    };
    assert_eq!(started(own_contact(&folio, 0)), (false, Vec::new()));
    assert_eq!(
        started(contact("other@example.com")),
        (true, vec![first_email(0)])
    );
}
