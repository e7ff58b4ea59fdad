//! Pages about folios with data made up for them.

use super::acts::SeveralPage;
use super::cancel::CancelPage;
use super::draft_form::{DraftForm, SignerForm};
use super::erase::Question;
use super::files::FolioDocumentPage;
use super::list::FoliosPage;
use super::list_query::{FolioQuery, PageStart};
use super::new::{DraftView, KeptFile, NewPage};
use super::page::{FolioPage, SignerLinkPage};
use super::resend::{PendingView, ResendPage};
use crate::page::PanelLang;
use crate::page::document_view::{DocumentView, PageView};
use crate::panel::layout::{PanelLayout, Section};
use crate::panel::sample_data::{NOW, frame, sample};
use crate::signer::samples::Sample;
use app::folios::list::ListPage;
use app::folios::show::FolioFile;
use app::panel::Role;
use domain::event::{AcceptedText, ChainedEvent, DocumentRef};
use domain::{
    Actor, Channel, CompanyId, Contact, Created, DocumentNumber, DocumentType, Email, Event, EventKind,
    FileName, Folio, FolioMessage, FolioName, FolioState, HistoryHead, KeyId, Mobile, NewDocument, NewFolio,
    NewSigner, Observation, Origin, PersonName, Random, ReturnKind, ReturnUrl, SignatureType, SignerIndex,
    SignerState, Template, Timestamp,
};
use jiff::tz::TimeZone;
use std::time::Duration;
use store::{
    DocumentVersion, DraftDocumentRow, FolioRow, ListedFolio, ListedSigner, LoggedMessage, SavedSearch,
    SavedSearchRow, SignerContact,
};

/// Always the same.
struct Same(u8);

impl Random for Same {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0 = self.0.wrapping_add(1);
        bytes.fill(self.0);
    }
}

pub(crate) fn all(l: PanelLang) -> Vec<Sample> {
    let place = |role| frame(l, Section::Folios, role);
    let administrator = || place(Role::Administrator);
    let mut samples = vec![
        sample(
            l,
            "folios",
            &list(administrator(), FolioQuery::default(), 9, false),
        ),
        sample(
            l,
            "folios-none",
            &list(administrator(), FolioQuery::default(), 0, false),
        ),
        sample(
            l,
            "folios-none-reader",
            &list(place(Role::Reader), FolioQuery::default(), 0, false),
        ),
    ];
    let contract = created(NOW).folio;
    let erase = Question::Erase.page(administrator(), &contract, "", Some(l.cancel_hint().to_owned()));
    let hold = Question::PlaceHold.page(administrator(), &contract, "", None);
    samples.push(sample(l, "folio-erase", &erase));
    samples.push(sample(l, "folio-hold", &hold));
    let query = FolioQuery {
        typed: "gómez 1020".to_owned(),
        state: Some(FolioState::Signed),
        from: Some(jiff::civil::date(2026, 2, 1)),
        start: PageStart {
            before: Some(FolioRow(812)),
            skipped: 25,
            state: None,
        },
        ..FolioQuery::default()
    };
    let saved = |row, name: &str| SavedSearch {
        row: SavedSearchRow(row),
        name: name.to_owned(),
        query: "state=pending".to_owned(),
    };
    samples.push(sample(
        l,
        "folios-unfinished",
        &FoliosPage {
            saved: vec![saved(1, "Arriendos sin firmar"), saved(2, "Vencen pronto")],
            ..list(administrator(), query.clone(), 2, true)
        },
    ));
    let mut unmatched = list(administrator(), query, 3, false);
    unmatched.rows.clear();
    unmatched.pages.next = None;
    samples.push(sample(l, "folios-unmatched", &unmatched));
    let several = |cancels, error: Option<String>| SeveralPage {
        f: place(Role::Supervisor),
        cancels,
        folios: listed(3, None)
            .into_iter()
            .map(|folio| (folio.id.to_string(), folio.name))
            .collect(),
        action: "/panel/folios/acts".to_owned(),
        back: "/panel/folios".to_owned(),
        typed: String::new(),
        error,
    };
    let missing = l.problem(&domain::FieldError::Missing);
    samples.push(sample(l, "folios-resend", &several(false, None)));
    samples.push(sample(l, "folios-cancel", &several(true, Some(missing))));
    for (name, state) in [
        ("folio-pending", FolioState::Pending),
        ("folio-signed", FolioState::Signed),
        ("folio-disapproved", FolioState::Disapproved),
    ] {
        samples.push(sample(l, name, &folio(administrator(), state, false)));
    }
    samples.push(sample(
        l,
        "folio-dropped",
        &folio(place(Role::Reader), FolioState::Cancelled, true),
    ));
    samples.push(sample(
        l,
        "folio-link",
        &SignerLinkPage {
            f: place(Role::Supervisor),
            back: "/panel/folios/01010101010101010101010101010101".to_owned(),
            name: PEOPLE[0].to_owned(),
            link: format!("https://firmas.losandes.example/sign?s={}", "Ab3".repeat(25)),
        },
    ));
    samples.push(sample(
        l,
        "document",
        &FolioDocumentPage {
            f: place(Role::Reader),
            document: document(),
            back: "/panel/folios/01010101010101010101010101010101".to_owned(),
        },
    ));
    samples.extend(forms(l));
    samples
}

fn forms(l: PanelLang) -> Vec<Sample> {
    let f = || frame(l, Section::Folios, Role::Supervisor);
    let id = "01010101010101010101010101010101".to_owned();
    let cancel = |error: Option<String>| CancelPage {
        f: f(),
        id: id.clone(),
        name: NAMES[0].to_owned(),
        typed: if error.is_some() { "No." } else { "" }.to_owned(),
        error,
    };
    let short = l.problem(&domain::FieldError::TooShort { min: 10 });
    let signer = |name: &&str| SignerForm {
        name: (*name).to_owned(),
        email: "andres.pena".to_owned(),
        ..SignerForm::default()
    };
    let mut wrong = NewPage {
        form: DraftForm {
            name: NAMES[1].to_owned(),
            return_url: "losandes.example".to_owned(),
            signers: PEOPLE[..2].iter().map(signer).collect(),
            ..DraftForm::blank()
        },
        files: vec![KeptFile {
            row: DraftDocumentRow(7),
            name: "Contrato de arriendo.pdf".to_owned(),
            size: 184_320,
        }],
        ..NewPage::blank(f())
    };
    for (field, problem) in [
        ("message", domain::FieldError::Missing),
        ("number0", domain::FieldError::Missing),
        ("email0", domain::FieldError::NotEmail),
        ("mobile0", domain::FieldError::Missing),
        ("email1", domain::FieldError::Missing),
        ("signers", domain::FieldError::Duplicate),
        ("documents", domain::FieldError::Missing),
        ("returnUrl", domain::FieldError::NotUrl),
    ] {
        wrong.errors.insert(field.to_owned(), l.problem(&problem));
    }
    let pending = |index: usize, wrong: bool| PendingView {
        index: SignerIndex(index),
        name: PEOPLE[index].to_owned(),
        document: "CC 1020304050".to_owned(),
        chosen: !wrong,
        email: "marta.diaz@example".to_owned(),
        email_was: "marta.diaz@example.com".to_owned(),
        email_error: wrong.then(|| l.problem(&domain::FieldError::NotEmail)),
        mobile: "3001234567".to_owned(),
        mobile_was: "3001234567".to_owned(),
        mobile_error: None,
    };
    let resend = ResendPage {
        f: f(),
        id: id.clone(),
        name: NAMES[0].to_owned(),
        signers: vec![pending(0, false), pending(1, true)],
        return_url: "https://portal.losandes.example/gracias".to_owned(),
        return_url_was: "https://portal.losandes.example/gracias".to_owned(),
        return_error: None,
        error: Some(l.resend_nobody()),
    };
    let contact = |(row, name): (i64, &&str)| SignerContact {
        folio: FolioRow(row),
        name: (*name).to_owned(),
        document_type: "CC".to_owned(),
        document_number: format!("10203040{row}"),
        email: "persona@example.com".to_owned(),
        mobile: "3001234567".to_owned(),
    };
    let draft = |name: &str, hours| DraftView {
        id: id.clone(),
        name: name.to_owned(),
        saved_at: NOW.before(Duration::from_hours(hours)),
    };
    let blank = NewPage {
        contacts: (0..).zip(&PEOPLE).map(contact).collect(),
        drafts: vec![draft(NAMES[2], 2), draft("", 50)],
        ..NewPage::blank(f())
    };
    vec![
        sample(l, "folio-new", &blank),
        sample(l, "folio-new-wrong", &wrong),
        sample(l, "folio-resend", &resend),
        sample(l, "folio-cancel", &cancel(None)),
        sample(l, "folio-cancel-wrong", &cancel(Some(short))),
    ]
}

const NAMES: [&str; 4] = [
    "Contrato de arriendo, apto 501",
    "Otrosí n.º 3 al contrato de obra civil de la Autopista del Café",
    "Poder para escritura",
    "Acta de entrega",
];
const PEOPLE: [&str; 3] = ["Andrés Felipe Peña", "Marta Lucía Díaz", "Jorge Iván Ñáñez"];

/// Folios as a list shows them, newest first.
pub(crate) fn listed(count: usize, state: Option<FolioState>) -> Vec<ListedFolio> {
    let signer = |place: usize, signed: bool| ListedSigner {
        name: PEOPLE[place % 3].to_owned(),
        email: "persona@example.com".to_owned(),
        document_number: "1020304050".to_owned(),
        mobile: "3001234567".to_owned(),
        state: if signed {
            SignerState::Signed
        } else {
            SignerState::Pending
        },
    };
    let one = |place: usize| ListedFolio {
        seq: FolioRow(1000 - i64::try_from(place).unwrap_or(0)),
        id: domain::FolioId::from_bytes([u8::try_from(place).unwrap_or(0) + 1; 16]),
        name: NAMES[place % 4].to_owned(),
        state: state.unwrap_or(FolioState::ALL[place % 6]),
        dropped: place % 7 == 5,
        created_at: NOW.before(Duration::from_hours(1 << place.min(12))),
        updated_at: Some(NOW.before(Duration::from_mins(40))),
        expires_at: None,
        signers: vec![signer(place, true), signer(place + 1, place.is_multiple_of(2))],
    };
    (0..count).map(one).collect()
}

fn list(f: PanelLayout, query: FolioQuery, count: usize, unfinished: bool) -> FoliosPage {
    let counts = if count == 0 {
        [0; 6]
    } else {
        [12, 3, 1, 1204, 2, 31]
    };
    let page = ListPage {
        folios: listed(count, query.state),
        next: (count > 0).then_some(FolioRow(900)),
        unfinished,
        counts: FolioState::ALL.into_iter().zip(counts).collect(),
        zone: TimeZone::UTC,
        order: query.order,
    };
    FoliosPage::new(f, query, &page)
}

fn document() -> DocumentView {
    DocumentView {
        id: "02020202020202020202020202020202".to_owned(),
        name: "Contrato de arriendo.pdf".to_owned(),
        size: 184_320,
        count: 3,
        address: "/panel/folios/01010101010101010101010101010101/documents/02020202020202020202020202020202"
            .to_owned(),
        pages: (1..=2)
            .map(|number| PageView {
                number,
                width: 612,
                height: 792,
                first: false,
                in_view_only: false,
            })
            .collect(),
        more: Some((3, 3)),
    }
}

fn created(at: Timestamp) -> Created {
    let signer = |(place, name): (usize, &&str)| NewSigner {
        name: PersonName::stored((*name).to_owned()),
        document_type: DocumentType::CitizenCard,
        document_number: DocumentNumber::stored(format!("10203040{place}")),
        contact: Contact {
            email: Email::stored(format!("persona{place}@example.com")),
            mobile: Mobile::stored("3001234567".to_owned()),
        },
    };
    let new = NewFolio {
        name: FolioName::stored(NAMES[0].to_owned()),
        message: FolioMessage::stored("Por favor revise el contrato y fírmelo antes del viernes.".to_owned()),
        signature_type: SignatureType::EmailCode,
        return_url: ReturnUrl::stored("https://portal.losandes.example/gracias".to_owned()),
        send_email: true,
        signers: PEOPLE[..2].iter().enumerate().map(signer).collect(),
        documents: vec![NewDocument {
            name: FileName::stored("Contrato de arriendo.pdf".to_owned()),
            sha256: [0xab; 32],
            size: 184_320,
            pages: 3,
            repair: None,
        }],
        expires_at: Some(NOW.after(Duration::from_hours(72))),
        language: None,
    };
    let origin = Origin {
        actor: Actor::Integration {
            key: KeyId::from_bytes([7; 16]),
        },
        client: domain::Client::at([203, 0, 113, 7].into()),
    };
    Folio::create(new, CompanyId(1), origin, at, &mut Same(0))
}

fn folio(f: PanelLayout, state: FolioState, dropped: bool) -> FolioPage {
    let created = created(NOW.before(Duration::from_hours(49)));
    let mut folio = created.folio;
    folio.state = state;
    folio.dropped = dropped;
    if state.is_final() {
        folio.updated_at = Some(NOW.before(Duration::from_hours(3)));
        folio.signers[0].state = SignerState::Signed;
        folio.signers[0].updated_at = folio.updated_at;
        folio.signers[0].signed_from = Some([198, 51, 100, 4].into());
    }
    if state == FolioState::Disapproved {
        folio.observation = Some(Observation::stored("Falta la firma del codeudor.".to_owned()));
    }
    let message = |template, state: &str, error: Option<&str>| LoggedMessage {
        template,
        channel: Channel::Email,
        recipient: "persona1@example.com".to_owned(),
        signer: SignerIndex(1),
        state: state.to_owned(),
        attempts: 3,
        created_at: NOW.before(Duration::from_hours(48)),
        sent_at: (state == "sent").then(|| NOW.before(Duration::from_hours(47))),
        last_error: error.map(str::to_owned),
        returned: (template == Template::ContactChanged).then_some(ReturnKind::Bounced),
    };
    let file = FolioFile {
        versions: vec![DocumentVersion {
            id: folio.documents[0].id,
            sha256: [0xcd; 32],
            size: 190_000,
            changed_at: None,
        }],
        story: {
            let mut story = history(&folio);
            story.reverse();
            story
        },
        history: history(&folio),
        older: Some(1),
        evidence_parts: 1,
        messages: vec![
            message(Template::Reminder, "dead", Some("550 5.1.1 no such user")),
            message(Template::Invitation, "sent", None),
            message(Template::ContactChanged, "sent", None),
            message(Template::Code, "waiting", None),
        ],
        can_retry: true,
        next_reminder: (folio.state == FolioState::Pending).then(|| (NOW.after(Duration::from_hours(38)), 1)),
        approval: true,
        zone: TimeZone::UTC,
        folio,
    };
    let documents = if dropped { Vec::new() } else { vec![document()] };
    FolioPage::new(f, file, documents, true)
}

fn history(folio: &Folio) -> Vec<ChainedEvent> {
    let person = || Actor::User {
        email: "luisa.gomez@losandes.example".to_owned(),
    };
    let reader = || Actor::Signer {
        signer: SignerIndex(1),
    };
    let documents = || {
        vec![DocumentRef {
            document: folio.documents[0].id,
            sha256: "cd".repeat(32),
        }]
    };
    let happened = [
        (
            person(),
            EventKind::Resent {
                signer: SignerIndex(1),
                before: Some(folio.signers[0].contact.clone()),
                contact: folio.signers[1].contact.clone(),
                return_url: folio.return_url.clone(),
            },
        ),
        (
            reader(),
            EventKind::Opened {
                signer: SignerIndex(1),
                document: documents().remove(0),
            },
        ),
        (
            reader(),
            EventKind::EndReached {
                signer: SignerIndex(1),
                document: documents().remove(0),
            },
        ),
        (
            reader(),
            EventKind::Accepted {
                signer: SignerIndex(1),
                accepted: AcceptedText::default(),
            },
        ),
        (
            reader(),
            EventKind::CodeRefused {
                signer: SignerIndex(1),
                tries_left: 4,
                code: None,
            },
        ),
        (reader(), EventKind::Completed),
        (
            person(),
            EventKind::Disapproved {
                observation: Observation::stored("Falta la firma del codeudor.".to_owned()),
                documents: documents(),
            },
        ),
        (person(), EventKind::Dropped),
    ];
    let mut end = HistoryHead::START;
    let mut events = Vec::new();
    for (hours, (actor, what)) in (0..).zip(happened) {
        let event = Event {
            at: NOW.before(Duration::from_hours(40 - hours * 5)),
            origin: Origin {
                actor,
                client: domain::Client::at([198, 51, 100, 4].into()),
            },
            what,
        };
        let (chained, next) = end.append(folio.id, &event, &mut Same(0));
        events.push(chained);
        end = next;
    }
    events.reverse();
    events
}
