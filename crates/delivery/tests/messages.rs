//! What messages say: each as it is read, and with strangers' worst texts in every place.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

use app::messages::DocumentCopy;
use app::{Links, MasterKey};
use delivery::outbox::compose::{Composed, Composer};
use delivery::samples;
use domain::{Channel, FileName, Language, SignatureType, Template};
use jiff::tz::TimeZone;
use store::{LeasedAccountEmail, LeasedMessage};
use url::Url;

fn composed(leased: &LeasedMessage) -> Composed {
    with_attachments(leased, &[])
}

fn with_attachments(leased: &LeasedMessage, attachments: &[DocumentCopy]) -> Composed {
    let master = MasterKey::from_hex(&"5a".repeat(32)).unwrap();
    let links = Links::new(&master, &Url::parse("https://firmas.example.com").unwrap());
    let composer = Composer {
        links: &links,
        code: Some("123456"),
        zone: &TimeZone::UTC,
        attachments,
    };
    composer.compose(leased).unwrap()
}

fn name(template: Template, channel: Channel) -> String {
    let channel = match channel {
        Channel::Email => "email",
        Channel::Sms => "sms",
    };
    format!("{template:?}_{channel}").to_lowercase()
}

#[test]
fn every_message_as_it_is_read() {
    for (template, channel) in samples::ALL {
        let message = composed(&samples::leased(template, channel));
        let name = name(template, channel);
        insta::assert_snapshot!(
            format!("{name}_text"),
            format!("{}\n\n{}", message.subject, message.text)
        );
        if channel == Channel::Email {
            insta::assert_snapshot!(format!("{name}_html"), message.html);
        }
    }
}

#[test]
fn every_message_in_the_signer_s_language() {
    for language in [Language::English, Language::Portuguese] {
        for (template, channel) in samples::ALL {
            let leased = LeasedMessage {
                language,
                ..samples::leased(template, channel)
            };
            let message = composed(&leased);
            let name = format!("{}_{}", name(template, channel), language.code());
            insta::assert_snapshot!(name, format!("{}\n\n{}", message.subject, message.text));
            if channel == Channel::Email {
                let lang = format!("<html lang=\"{}\"", language.code());
                assert!(message.html.contains(&lang), "{}", message.html);
            } else {
                assert!(message.text.chars().count() <= 160, "{}", message.text);
            }
        }
    }
}

#[test]
fn an_email_after_which_a_signer_cannot_go_on_names_the_contact() {
    for language in [Language::Spanish, Language::English, Language::Portuguese] {
        for template in [Template::Cancelled, Template::Rejected] {
            let leased = LeasedMessage {
                language,
                ..samples::leased(template, Channel::Email)
            };
            let message = composed(&leased);
            for body in [&message.html, &message.text] {
                for said in ["Servicio al cliente", "ayuda@nandu.example", "601 345 6789"] {
                    assert!(body.contains(said), "{said}: {body}");
                }
            }
        }
    }
}

#[test]
fn every_account_email_as_it_is_read() {
    let link = "https://firmas.example.com/panel/reset?t=c2FtcGxl";
    for kind in samples::ACCOUNT_EMAILS {
        let email = delivery::account_emails::compose::compose(&samples::account_email(kind), link);
        let name = format!("panel_{kind:?}").to_lowercase();
        insta::assert_snapshot!(
            format!("{name}_text"),
            format!("{}\n\n{}", email.subject, email.text)
        );
        insta::assert_snapshot!(format!("{name}_html"), email.html);
        for language in [Language::English, Language::Portuguese] {
            let sample = LeasedAccountEmail {
                language,
                ..samples::account_email(kind)
            };
            let email = delivery::account_emails::compose::compose(&sample, link);
            let name = format!("{name}_{}", language.code());
            insta::assert_snapshot!(name, format!("{}\n\n{}", email.subject, email.text));
        }
        let links = email.html.matches("href=\"").count();
        assert_eq!(links, email.html.matches(&format!("href=\"{link}\"")).count());
    }
}

#[test]
fn a_message_about_several_folios_lists_them() {
    for template in [Template::Receipt, Template::Completed] {
        for language in Language::ALL {
            let leased = LeasedMessage {
                language,
                ..samples::of_several(template)
            };
            let message = composed(&leased);
            let name = format!("{template:?}_several_{}", language.code()).to_lowercase();
            insta::assert_snapshot!(name, format!("{}\n\n{}", message.subject, message.text));
        }
        let html = composed(&samples::of_several(template)).html;
        insta::assert_snapshot!(format!("{template:?}_several_html").to_lowercase(), html);
    }
}

#[test]
fn a_message_says_what_is_attached() {
    let copy = DocumentCopy {
        name: FileName::new("contrato.pdf"),
        bytes: b"%PDF-".as_slice().into(),
    };
    let said = |mut leased: LeasedMessage, documents: usize| {
        leased.documents = documents;
        with_attachments(&leased, std::slice::from_ref(&copy)).text
    };
    let receipt = || samples::leased(Template::Receipt, Channel::Email);
    assert!(said(receipt(), 1).contains("El documento firmado va adjunto"));
    assert!(said(receipt(), 2).contains("Los documentos firmados van adjuntos"));
    let several = said(samples::of_several(Template::Receipt), 2);
    assert!(
        several.contains("Los documentos que ya tienen todas las firmas van adjuntos"),
        "{several}"
    );
    let completed = samples::leased(Template::Completed, Channel::Email);
    assert!(said(completed, 2).contains("van adjuntos"));
    assert!(!composed(&receipt()).text.contains("adjunt"));
    let mut pending = receipt();
    (pending.about[0].complete, pending.about[0].pending) = (false, true);
    let text = composed(&pending).text;
    assert!(
        text.contains("Faltan otras firmas") && text.contains("Ver su copia:"),
        "{text}"
    );
}

#[test]
fn a_bulk_code_speaks_of_its_documents() {
    let message = composed(&samples::of_bulk(Template::Code, Channel::Email));
    assert!(
        message.text.contains("Es para 12 documentos:"),
        "{}",
        message.text
    );
}

#[test]
fn an_invitation_says_where_the_code_will_come() {
    let mut leased = samples::leased(Template::Invitation, Channel::Email);
    assert!(composed(&leased).text.contains("por SMS a su celular"));
    leased.signature_type = SignatureType::EmailCode;
    leased.documents = 1;
    let message = composed(&leased);
    assert!(message.text.contains("a este correo"));
    assert!(message.html.contains("Tiene un documento para firmar"));
}

#[test]
fn a_code_by_text_message_fits_into_one() {
    let mut leased = samples::leased(Template::Code, Channel::Sms);
    let companies = [
        "Ñ".repeat(200),
        "東京".to_owned(),
        "Café á la «mode»\r\n{x}".to_owned(),
    ];
    for (language, company) in Language::ALL
        .into_iter()
        .flat_map(|language| companies.iter().map(move |company| (language, company)))
    {
        leased.language = language;
        leased.company.clone_from(company);
        let text = composed(&leased).text;
        assert!(text.chars().count() <= 160, "{text}");
        assert!(text.starts_with("123456 "), "{text}");
        // The line that phones look for is the last one.
        let (text, last) = text.rsplit_once("\n\n").unwrap();
        assert_eq!(last, "@firmas.example.com #123456");
        assert!(
            !text.contains(['á', 'í', 'ó', 'ú', '\n', '\r', '«', '{']),
            "{text}"
        );
    }
}

/// Everything that a stranger writes is this.
const WORST: &str = "<script>alert(1)</script>\"'><a href=https://evil.example>x</a> www.evil.example \
                     {{ it.link }} {% include %} \r\nBcc: all@evil.example\r\n\r\n&lt;b&gt;";

#[test]
fn strangers_texts_become_neither_markup_nor_links() {
    for (template, channel) in samples::ALL {
        let mut leased = samples::leased(template, channel);
        leased.signer_name = WORST.to_owned();
        leased.folio_name = WORST.to_owned();
        leased.folio_message = WORST.to_owned();
        leased.observation = Some(WORST.to_owned());
        leased.company = WORST.to_owned();
        leased.colour = Some(WORST.to_owned());
        for one in &mut leased.about {
            one.name = WORST.to_owned();
            one.documents[0].name = FileName::new(WORST);
        }
        let message = composed(&leased);
        assert!(!message.subject.contains(['\r', '\n']), "{}", message.subject);
        for tag in ["<script", "<a href=https://evil", "<b>"] {
            assert!(!message.html.contains(tag), "{template:?}: {}", message.html);
        }
        let own = "https://firmas.example.com/sign?s=";
        let links = message.html.matches("href=\"").count();
        assert_eq!(links, message.html.matches(&format!("href=\"{own}")).count());
        for part in [&message.html, &message.text] {
            for address in ["evil.example", "://evil", "all@evil"] {
                assert!(!part.contains(address), "{template:?} {channel:?}: {part}");
            }
        }
    }
}

#[test]
fn the_old_address_learns_nothing_of_the_folio() {
    let leased = samples::leased(Template::ContactChanged, Channel::Email);
    let message = composed(&leased);
    let said = format!("{}{}{}", message.subject, message.text, message.html);
    for secret in ["María", "Pérez", "arrendamiento", "http", "123456", "cláusula"] {
        let said = said.replace("http://www.w3.org/1999/xhtml", "");
        assert!(!said.contains(secret), "{secret}");
    }
}

/// Every email's plain text and page.
fn every_email() -> Vec<(String, String, String)> {
    let several = [Template::Receipt, Template::Completed].map(|template| {
        let message = composed(&samples::of_several(template));
        (format!("{template:?} of several"), message.text, message.html)
    });
    let emails = samples::ALL
        .iter()
        .filter(|(_, channel)| *channel == Channel::Email);
    let mut all: Vec<_> = emails
        .map(|(template, channel)| {
            let message = composed(&samples::leased(*template, *channel));
            (format!("{template:?}"), message.text, message.html)
        })
        .collect();
    let link = "https://firmas.example.com/panel/reset?t=c2FtcGxl";
    all.extend(several);
    all.extend(samples::ACCOUNT_EMAILS.iter().map(|kind| {
        let email = delivery::account_emails::compose::compose(&samples::account_email(*kind), link);
        (format!("{kind:?}"), email.text, email.html)
    }));
    all
}

/// The opening tags of that name.
fn tags<'h>(html: &'h str, name: &str) -> Vec<&'h str> {
    let opened = format!("<{name}");
    let parts = html.split(opened.as_str()).skip(1);
    parts
        .filter(|part| part.starts_with([' ', '>']))
        .map(|part| part.split('>').next().unwrap())
        .collect()
}

/// Gmail leaves style sheets out where an email is clipped or forwarded, and other programs always.
#[test]
fn the_style_sheet_of_an_email_has_colours_alone() {
    for (name, _, html) in every_email() {
        let (_, rest) = html.split_once("<style>").unwrap();
        let (sheet, body) = rest.split_once("</style>").unwrap();
        assert!(!body.contains("<style"), "{name}");
        for rule in sheet.split('}') {
            // The innermost braces: a rule may stand within a question about the screen.
            let Some((_, declarations)) = rule.rsplit_once('{') else {
                continue;
            };
            for declaration in declarations
                .split(';')
                .map(str::trim)
                .filter(|one| !one.is_empty())
            {
                let (property, _) = declaration.split_once(':').unwrap_or((declaration, ""));
                assert!(
                    [
                        "color",
                        "background",
                        "border-color",
                        "color-scheme",
                        "supported-color-schemes"
                    ]
                    .contains(&property),
                    "{name}: {declaration}"
                );
            }
        }
        // What Word alone reads has no text of its own.
        let body = body.replace("cellspacing=\"0\" border=\"0\"><tr><td><![endif]-->", "");
        for tag in ["h1", "p", "td"] {
            for attributes in tags(&body, tag) {
                assert!(attributes.contains("style=\""), "{name}: <{tag}{attributes}>");
            }
        }
    }
}

/// Outlook on Windows shows emails as Word does: it knows tables, and little of CSS after the year 2000.
#[test]
fn an_email_needs_nothing_that_word_does_not_know() {
    for (name, _, html) in every_email() {
        let (_, body) = html.split_once("<body").unwrap();
        for unknown in [
            "display:flex",
            "display:grid",
            "position:",
            "float:",
            "background-image",
            "url(",
            "calc(",
            "rgba(",
            "var(",
            "transform",
            "<svg",
            "<img",
            "<ul",
            "<ol",
            "<button",
            "<form",
            "<script",
            "<link",
            "min-width",
            "rem;",
            "em;",
        ] {
            assert!(!body.contains(unknown), "{name}: {unknown}");
        }
        for table in tags(body, "table") {
            for needed in [
                "role=\"presentation\"",
                "cellpadding=\"0\"",
                "cellspacing=\"0\"",
                "border=\"0\"",
            ] {
                assert!(table.contains(needed), "{name}: <table{table}>");
            }
        }
        // Word takes padding in cells alone; the button's cell says it for Word.
        let padded = ["p", "h1", "span", "table", "strong"]
            .iter()
            .flat_map(|tag| tags(body, tag));
        assert!(
            padded.filter(|tag| tag.contains("padding:")).count() == 0,
            "{name}"
        );
        let buttons = tags(body, "a").into_iter().filter(|tag| tag.contains("padding:"));
        assert_eq!(
            buttons.count(),
            body.matches("mso-padding-alt:").count(),
            "{name}"
        );
        // It knows no max-width: a table that it alone reads is as wide.
        let (opened, closed) = (
            "<!--[if mso]><table",
            "<!--[if mso]></td></tr></table><![endif]-->",
        );
        assert_eq!(
            (body.matches(opened).count(), body.matches(closed).count()),
            (1, 1),
            "{name}"
        );
        let (_, wide) = body.split_once(opened).unwrap();
        let (wide, _) = wide.split_once(closed).unwrap();
        let (table, inside) = wide.split_once('>').unwrap();
        assert!(table.contains("width=\"560\""), "{name}: {table}");
        let bounded = (
            inside.matches("max-width:560px").count(),
            body.matches("max-width").count(),
        );
        assert_eq!(bounded, (2, 2), "{name}: all that has a largest width is inside");
        // The only block outside of tables is the line that lists of emails show.
        assert_eq!(tags(body, "div").len(), 1, "{name}");
    }
}

/// The words of a text, without marks and markup.
fn words(text: &str) -> std::collections::BTreeSet<String> {
    let words = text.split(|c: char| c.is_whitespace() || "«»<>\"".contains(c));
    let bare = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    bare.filter(|word| !word.is_empty()).collect()
}

#[test]
fn the_plain_text_of_an_email_says_all_that_its_page_says() {
    for (name, text, html) in every_email() {
        let (_, body) = html.split_once("<body").unwrap();
        let (_, body) = body.split_once('>').unwrap();
        // The line for lists of emails repeats what follows.
        let (_, body) = body.split_once("</div>").unwrap();
        // So does the heading what the subject says.
        let (before, rest) = body.split_once("<h1").unwrap();
        let (_, after) = rest.split_once("</h1>").unwrap();
        let body = format!("{before}{after}");
        let mut shown = String::new();
        // A button says in its own words what the line above its address says in the text.
        let is_button = |part: &&str| part.starts_with("a ") && part.contains("padding:");
        for part in body.split('<').filter(|part| !is_button(part)) {
            shown.push_str(part.split_once('>').map_or(part, |(_, text)| text));
            shown.push(' ');
        }
        let shown = shown.replace("&#38;", "&").replace("&amp;", "&");
        let said = words(&text);
        let help =
            words("Si el botón no responde, copie esta dirección en su navegador: Huella del historial");
        let missing: Vec<_> = words(&shown)
            .difference(&said)
            .filter(|word| !help.contains(*word))
            .cloned()
            .collect();
        assert_eq!(missing, [""; 0], "{name}:\n{text}\n{html}");
    }
}
