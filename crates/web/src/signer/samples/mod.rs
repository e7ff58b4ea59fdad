//! Every page with sample data, in every language: for tests, and to look at.

mod bulk;
mod messages;

use super::document::DocumentPage;
use super::done::{DonePage, FileLink, RETURN_SECONDS, evidence};
use super::folio::SigningPage;
use super::identify::IdentifyPage;
use super::picture::{PictureForm, PictureView};
use super::proof_page::ProvePage;
use super::reject::RejectPage;
use super::search::{Found, MatchView, SearchPage};
use super::view::{ActView, CodeView, FormTarget, Pause, RejectView, SentView, SignerView, Step};
use crate::page::document_view::{DocumentView, PageView};
use crate::page::language_switch::LanguageSwitch;
use crate::page::layout::PageLayout;
use crate::page::message_page::ReturnLink;
use crate::page::{Embedding, Lang, headers};
use app::signing::consent::Consent;
use app::signing::pages::PageMatch;
use axum::http::HeaderMap;
use bulk::bulk;
use domain::event::ShownDocument;
use domain::mask::masked;
use domain::{Channel, DocumentId, DocumentType};
use messages::messages;
use store::CompanyContact;

/// A page to look at.
#[derive(Debug, Clone)]
pub struct Sample {
    /// What it shows, and in which language.
    pub name: String,
    /// The page.
    pub html: String,
}

/// The headers that pages come with.
pub fn sample_headers() -> HeaderMap {
    headers(&Embedding::default())
}

/// The file that pages ask for at that address, with its type.
pub fn asset(address: &str) -> Option<(&'static str, &'static str)> {
    let found = crate::assets::all()
        .into_iter()
        .find(|asset| asset.address == address);
    found.map(|asset| (asset.kind, asset.text.as_str()))
}

/// Every page.
pub fn all() -> Vec<Sample> {
    Lang::ALL.into_iter().flat_map(pages).collect()
}

fn pages(l: Lang) -> Vec<Sample> {
    let sample = |name: &str, page: &dyn askama::DynTemplate| Sample {
        name: format!("{name}.{}", l.code()),
        html: page.dyn_render().unwrap_or_default(),
    };
    let mut samples = vec![
        sample("identify", &identify(l, None)),
        sample("identify-wrong", &identify(l, Some(l.not_a_signer().to_owned()))),
        sample("folio-read", &folio(l, Step::Read)),
        sample(
            "folio-read-wrong",
            &SigningPage {
                reject: RejectView {
                    open: true,
                    typed: "No.".to_owned(),
                    error: Some(l.reason_short()),
                },
                act: ActView {
                    consent_error: Some(l.consent_missing().to_owned()),
                    has_code: true,
                    ..act(l, Step::Read, &[Channel::Sms])
                },
                ..folio(l, Step::Read)
            },
        ),
        sample("folio-hostile", &hostile(l)),
        sample("folio-code", &folio(l, Step::Code)),
        sample("folio-code-wrong", &wrong_code(l)),
        sample("folio-code-picture", &picture(l, false)),
        sample("folio-code-picture-missing", &picture(l, true)),
        sample("folio-code-spent", &spent_code(l)),
        sample("folio-code-lost", &lost_code(l)),
        sample("reject", &rejecting(l, None)),
        sample("reject-wrong", &rejecting(l, Some(l.reject_unconfirmed()))),
        sample("prove", &proving(l, false)),
        sample("prove-code", &proving(l, true)),
        sample("done", &done(l, true, 0, None)),
        sample("done-waiting", &done(l, false, 2, None)),
        sample("done-cancelled", &done(l, false, 1, Some(l.signed_cancelled()))),
        sample("bulk-read", &bulk(l, Some(Step::Read), 7)),
        sample("bulk-fifty", &bulk(l, Some(Step::Read), 50)),
        sample("bulk-code", &bulk(l, Some(Step::Code), 7)),
        sample("bulk-done", &bulk(l, None, 7)),
        sample(
            "document",
            &DocumentPage {
                f: frame(l),
                form_target: form_target(),
                document: document("Anexo técnico.pdf", 21, 40, Some((41, 60))),
            },
        ),
        sample("index", &searched(l, None)),
        sample("search", &searched(l, Some("un millon"))),
    ];
    samples.extend(messages(l).into_iter().map(|(name, page)| sample(name, &page)));
    samples
}

fn frame(l: Lang) -> PageLayout {
    let contact = CompanyContact {
        name: "Servicio al cliente".to_owned(),
        email: "ayuda@losandes.example".to_owned(),
        phone: "+57 601 345 6789".to_owned(),
    };
    PageLayout::new(l, Some("Inmobiliaria Los Andes S.A.S.".to_owned()), switch()).with_contact(Some(contact))
}

fn switch() -> LanguageSwitch {
    LanguageSwitch {
        back: form_target().path,
    }
}

fn form_target() -> FormTarget {
    FormTarget {
        path: "/sign/0f1e2d3c4b5a69788796a5b4c3d2e1f0-0".to_owned(),
        csrf: "c2FtcGxlLXRva2Vu".to_owned(),
        seconds_left: 900,
    }
}

fn back() -> ReturnLink {
    ReturnLink::to("https://portal.losandes.example/gracias?ref=8812")
}

fn identify(l: Lang, error: Option<String>) -> IdentifyPage {
    IdentifyPage {
        f: frame(l),
        token: "c2FtcGxl".to_owned(),
        chosen: DocumentType::CitizenCard,
        typed: if error.is_some() { "1020304051" } else { "" }.to_owned(),
        error,
    }
}

fn document(name: &str, first: u32, last: u32, more: Option<(u32, u32)>) -> DocumentView {
    let id = "a1b2c3d4e5f60718293a4b5c6d7e8f90";
    let page = |number| PageView {
        number,
        width: 612,
        height: 792,
        first: number == 1,
        in_view_only: false,
    };
    DocumentView {
        id: id.to_owned(),
        name: name.to_owned(),
        size: 183_204,
        count: more.map_or(last, |(_, end)| end + 20),
        address: format!("{}/documents/{id}", form_target().path),
        pages: (first..=last).map(page).collect(),
        more,
    }
}

fn searched(l: Lang, words: Option<&str>) -> SearchPage {
    let lease = document("Contrato de arrendamiento.pdf", 1, 3, None);
    let long = document("Anexo técnico.pdf", 1, 20, Some((21, 40)));
    let matches = [&lease, &long].map(|document| MatchView {
        document: document.clone(),
        found: PageMatch {
            document: DocumentId::from_bytes([7; 16]),
            page: 2,
            before: "El canon mensual es de ".to_owned(),
            words: "un millón".to_owned(),
            after: " doscientos mil pesos, pagaderos dentro de los cinco".to_owned(),
        },
    });
    SearchPage {
        f: frame(l),
        form_target: form_target(),
        documents: vec![lease, long],
        found: words.map(|words| Found {
            words: words.to_owned(),
            too_short: false,
            matches: matches.into(),
            next: Some(format!("{}/search?q=un+millon&from=31", form_target().path)),
        }),
    }
}

fn code(l: Lang, channel: Channel, several: bool) -> CodeView {
    let (recipient, field, good_for) = match channel {
        Channel::Email => ("maria.perez@example.com", "codeEmail", 584),
        Channel::Sms => ("+573001234567", "codeSms", 284),
    };
    CodeView {
        channel,
        field: if several { field } else { "code" },
        to: masked(channel, recipient),
        sent: Some(SentView {
            good_until: match l {
                Lang::Es => "9:40\u{a0}a.\u{a0}m.".to_owned(),
                Lang::En => "9:40\u{a0}a.m.".to_owned(),
                Lang::Pt => "09:40".to_owned(),
            },
            good_for,
        }),
        gone: None,
        lost: false,
        error: None,
    }
}

const fn consent(l: Lang) -> Consent {
    match l {
        Lang::Es => Consent::SPANISH,
        Lang::En => Consent::ENGLISH,
        Lang::Pt => Consent::PORTUGUESE,
    }
}

const fn shown(pages: u32, shown: u32) -> ShownDocument {
    ShownDocument {
        document: DocumentId::from_bytes([7; 16]),
        pages,
        shown,
        downloaded: false,
    }
}

fn text(l: Lang) -> String {
    consent(l).filled([
        ("Contrato de arrendamiento.pdf", shown(3, 3)),
        ("Inventario del inmueble.pdf", shown(22, 5)),
    ])
}

fn act(l: Lang, step: Step, channels: &[Channel]) -> ActView {
    let several = channels.len() > 1;
    ActView {
        step,
        consent: consent(l),
        text: text(l),
        folios: Vec::new(),
        read_to_end: true,
        picture: None,
        consent_error: None,
        codes: channels
            .iter()
            .map(|channel| code(l, *channel, several))
            .collect(),
        pause: (step == Step::Code).then(|| Pause {
            until: match l {
                Lang::Es => "9:31\u{a0}a.\u{a0}m.".to_owned(),
                Lang::En => "9:31\u{a0}a.m.".to_owned(),
                Lang::Pt => "09:31".to_owned(),
            },
            seconds: 44,
        }),
        has_code: step == Step::Code,
    }
}

fn signer() -> SignerView {
    SignerView {
        name: "María Fernanda Pérez Gutiérrez".to_owned(),
        document: format!("CC {}", domain::mask::number("1020304050")),
    }
}

fn folio(l: Lang, step: Step) -> SigningPage {
    SigningPage {
        f: frame(l),
        form_target: form_target(),
        name: "Contrato de arrendamiento, apartamento 402".to_owned(),
        message: "Señora María: este es el contrato que conversamos.\nPor favor léalo con calma y fírmelo antes del viernes."
            .to_owned(),
        until: Some(l.sign_until(until(l))),
        signer: signer(),
        documents: vec![
            document("Contrato de arrendamiento.pdf", 1, 3, None),
            DocumentView {
                id: "b1b2c3d4e5f60718293a4b5c6d7e8f90".to_owned(),
                pages: document("", 1, 2, None).pages.into_iter().map(|page| PageView { first: false, ..page }).collect(),
                ..document("Inventario del inmueble.pdf", 1, 2, Some((3, 22)))
            },
        ],
        act: act(l, step, &[Channel::Email]),
        reject: RejectView::default(),
    }
}

fn wrong_code(l: Lang) -> SigningPage {
    let mut page = folio(l, Step::Code);
    page.act.codes = vec![CodeView {
        error: Some(l.wrong_code(3)),
        ..code(l, Channel::Sms, false)
    }];
    page.act.pause = None;
    page
}

/// With a picture that was drawn, and one that is missing.
fn picture(l: Lang, is_missing: bool) -> SigningPage {
    let mut page = folio(l, Step::Code);
    let drawn = "40,150 60,60 80,40 90,150 120,150 140,70 150,150 190,150 210,90 260,40 250,160;300,120 420,120 480,90";
    let form = PictureForm {
        strokes: if is_missing {
            String::new()
        } else {
            drawn.to_owned()
        },
        name: String::new(),
        error: is_missing.then(|| l.picture_missing()),
    };
    let policy = if is_missing {
        domain::PicturePolicy::Required
    } else {
        domain::PicturePolicy::Optional
    };
    page.act.picture = PictureView::of(policy, &form);
    page
}

fn spent_code(l: Lang) -> SigningPage {
    let mut page = folio(l, Step::Code);
    page.act.codes = vec![CodeView {
        sent: None,
        gone: Some(l.code_spent()),
        error: Some(l.wrong_code(0)),
        ..code(l, Channel::Email, false)
    }];
    page.act.has_code = false;
    page
}

fn lost_code(l: Lang) -> SigningPage {
    let mut page = folio(l, Step::Code);
    page.act.codes = vec![CodeView {
        sent: None,
        gone: Some(l.code_lost()),
        lost: true,
        ..code(l, Channel::Sms, false)
    }];
    page.act.has_code = false;
    page
}

/// Texts that would like to be markup, and words without end.
fn hostile(l: Lang) -> SigningPage {
    let plain = folio(l, Step::Read);
    let mut documents = plain.documents;
    documents[0].name = String::from("\"><script>alert(5)</script>.pdf");
    SigningPage {
        f: PageLayout::new(l, Some("<b>Evil</b> & Co. \"quoted\"".to_owned()), switch()),
        name: "<script>alert(1)</script>'\"><img src=x onerror=alert(2)>".to_owned(),
        message: format!("</p><script>alert(3)</script> {}", "Palabrasinfin".repeat(20)),
        signer: SignerView {
            name: "Robert\"); DROP TABLE folios;-- <svg onload=alert(4)>".to_owned(),
            ..plain.signer
        },
        documents,
        reject: RejectView {
            open: false,
            typed: "</textarea><script>alert(6)</script>".to_owned(),
            error: None,
        },
        ..folio(l, Step::Read)
    }
}

fn rejecting(l: Lang, confirm_error: Option<&'static str>) -> RejectPage {
    RejectPage {
        f: frame(l),
        form_target: form_target(),
        folio: None,
        name: "Contrato de arrendamiento, apartamento 402".to_owned(),
        reason: "El canon no es el que acordamos por teléfono.".to_owned(),
        confirm_error,
        act: act(l, Step::Code, &[Channel::Email]),
    }
}

fn proving(l: Lang, sent: bool) -> ProvePage {
    let step = if sent { Step::Code } else { Step::Read };
    ProvePage {
        f: frame(l),
        form_target: form_target(),
        act: ActView {
            has_code: sent,
            ..act(l, step, &[Channel::Email])
        },
    }
}

fn done(l: Lang, just_now: bool, missing: usize, ended: Option<&'static str>) -> DonePage {
    let copy = |name: &str| FileLink {
        name: name.to_owned(),
        address: format!(
            "{}/documents/a1b2c3d4e5f60718293a4b5c6d7e8f90",
            form_target().path
        ),
        verify: Some("/verify/a1b2c3d4e5f60718293a4b5c6d7e8f90".to_owned()),
    };
    DonePage {
        f: frame(l),
        form_target: form_target(),
        name: "Contrato de arrendamiento, apartamento 402".to_owned(),
        just_now,
        signed_at: Some(match l {
            Lang::Es => "2 de marzo de 2026 a las 9:38\u{a0}a.\u{a0}m.".to_owned(),
            Lang::En => "2 March 2026 at 9:38\u{a0}a.m.".to_owned(),
            Lang::Pt => "2 de março de 2026 às 09:38".to_owned(),
        }),
        missing,
        writes: true,
        receipt: just_now.then(|| l.receipt_sent("m•••a@e•••.com")),
        ended,
        copies: vec![
            copy("Contrato de arrendamiento.pdf"),
            copy("Inventario del inmueble.pdf"),
        ],
        evidence: evidence(l, &form_target().path, None, 1 + missing),
        back: back(),
        returns_after: just_now.then_some(RETURN_SECONDS),
    }
}

/// A time to come.
const fn until(l: Lang) -> &'static str {
    match l {
        Lang::Es => "3 de marzo de 2026 a las 9:38\u{a0}a.\u{a0}m.",
        Lang::En => "3 March 2026 at 9:38\u{a0}a.m.",
        Lang::Pt => "3 de março de 2026 às 09:38",
    }
}

#[cfg(test)]
mod tests;
