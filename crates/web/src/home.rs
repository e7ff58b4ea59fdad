//! `/`: where people go from here.

use crate::page::layout::PageLayout;
use crate::page::request::PageRequest;
use crate::page::{Embedding, PanelLang, render_page, texts};
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
        guide: match request.panel_lang() {
            PanelLang::Es => "/docs",
            PanelLang::En => "/docs/en",
        },
        mailbox: request.web.settings.mailbox.is_some(),
    };
    render_page(StatusCode::OK, &page, &Embedding::default())
}

texts! {
    home_title: "Firmas electrónicas",
        "Electronic signatures",
        "Assinaturas eletrônicas";
    home_lead: "Esta es una instalación de Firmeza.",
        "This is an installation of Firmeza.",
        "Esta é uma instalação do Firmeza.";
    home_sign: "Firmar un documento",
        "Sign a document",
        "Assinar um documento";
    home_sign_lead: "Abra el enlace que recibió por correo. Si no lo encuentra, pida a la empresa que lo reenvíe.",
        "Open the link that you received by email. If you cannot find it, ask the company to send it again.",
        "Abra o link que você recebeu por e-mail. Se não o encontrar, peça à empresa que o envie de novo.";
    home_verify: "Verificar un documento firmado",
        "Verify a signed document",
        "Verificar um documento assinado";
    home_verify_lead: "Suba un PDF y vea quién lo firmó, cuándo, y si cambió después.",
        "Upload a PDF and see who signed it, when, and whether it was changed later.",
        "Envie um PDF e veja quem o assinou, quando, e se mudou depois.";
    home_panel: "Panel de la empresa",
        "The company's panel",
        "Painel da empresa";
    home_panel_lead: "Enviar documentos, ver su estado, aprobarlos.",
        "Send documents, see their state, approve them.",
        "Enviar documentos, ver a sua situação, aprová-los (em espanhol ou inglês).";
    home_guide: "Guía para integradores",
        "Guide for integrators",
        "Guia para integradores";
    home_guide_lead: "La API, con ejemplos que se pueden copiar.",
        "The API, with examples that can be copied.",
        "A API, com exemplos que podem ser copiados (em espanhol ou inglês).";
    home_mailbox: "Buzón de pruebas",
        "Test mailbox",
        "Caixa de e-mails de teste";
    home_mailbox_lead: "Los correos y mensajes que este entorno de pruebas habría enviado.",
        "The emails and messages that this sandbox would have sent.",
        "Os e-mails e mensagens que este ambiente de teste teria enviado.";
}
