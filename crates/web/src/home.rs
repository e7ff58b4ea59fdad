//! `/`: where people go from here.

use crate::page::layout::PageLayout;
use crate::page::request::PageRequest;
use crate::page::{Embedding, Lang, render_page, texts};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

#[derive(Debug, Template)]
#[template(path = "home.html")]
struct HomePage {
    f: PageLayout,
    guide: &'static str,
    /// Whether this is a sandbox with a mailbox.
    mailbox: bool,
}

pub(crate) async fn page(request: PageRequest) -> Response {
    let page = HomePage {
        f: request.frame(None),
        guide: match request.l {
            Lang::Es => "/docs",
            Lang::En => "/docs/en",
        },
        mailbox: request.web.settings.mailbox.is_some(),
    };
    render_page(StatusCode::OK, &page, &Embedding::default())
}

texts! {
    home_title: "Firmas electrónicas", "Electronic signatures";
    home_lead: "Esta es una instalación de Firmeza.", "This is an installation of Firmeza.";
    home_sign: "Firmar un documento", "Sign a document";
    home_sign_lead: "Abra el enlace que recibió por correo. Si no lo encuentra, pida a la empresa que lo reenvíe.",
        "Open the link that you received by email. If you cannot find it, ask the company to send it again.";
    home_verify: "Verificar un documento firmado", "Verify a signed document";
    home_verify_lead: "Suba un PDF y vea quién lo firmó, cuándo, y si cambió después.",
        "Upload a PDF and see who signed it, when, and whether it was changed later.";
    home_panel: "Panel de la empresa", "The company's panel";
    home_panel_lead: "Enviar documentos, ver su estado, aprobarlos.", "Send documents, see their state, approve them.";
    home_guide: "Guía para integradores", "Guide for integrators";
    home_guide_lead: "La API, con ejemplos que se pueden copiar.", "The API, with examples that can be copied.";
    home_mailbox: "Buzón de pruebas", "Test mailbox";
    home_mailbox_lead: "Los correos y mensajes que este ambiente de pruebas habría enviado.",
        "The emails and messages that this sandbox would have sent.";
}
