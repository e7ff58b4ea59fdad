//! The first start of a sandbox: a company to try things with, and how to create a first folio.

use crate::sample;
use crate::settings::{Environment, Settings};
use app::operator::users::UserRequest;
use app::panel::Password;
use app::{App, SystemRandom};
use domain::{Email, PersonName, Role};
use std::error::Error;
use std::path::Path;
use web::MailboxToken;

const COMPANY: &str = "Demo";
const ADMINISTRATOR: &str = "admin@demo.example";

/// On an empty sandbox: makes a company, a key and an administrator, and says how to use them.
pub(crate) async fn welcome(
    settings: &Settings,
    app: &App,
    token: Option<&MailboxToken>,
) -> Result<Option<String>, Box<dyn Error>> {
    let operator = app.operator();
    if settings.environment != Environment::Sandbox || !operator.companies().await?.is_empty() {
        return Ok(None);
    }
    // The steps that may fail come first: a company must not exist without its key having been printed.
    let pdf = settings.data_dir.join("ejemplo.pdf");
    tokio::task::spawn_blocking({
        let pdf = pdf.clone();
        move || std::fs::write(pdf, sample::contract())
    })
    .await??;
    let file = to_paste(&std::path::absolute(&pdf)?);
    let password = Password::random(&mut SystemRandom);
    let administrator = UserRequest {
        company: COMPANY.into(),
        email: Email::new(ADMINISTRATOR).map_err(|problem| format!("{ADMINISTRATOR} {problem}"))?,
        name: PersonName::stored("Administración".into()),
        role: Role::Administrator,
        password: password.clone(),
    };
    let Some(issued) = operator.add_first("primera llave", administrator).await? else {
        return Ok(None);
    };
    let (base, key) = (settings.base(), issued.key.reveal());
    let (mailbox, password) = (mailbox(settings, token), password.reveal());
    Ok(Some(format!(
        r#"
This is a new sandbox. A company was made for you to try it: {COMPANY}
Its API key, shown only this once:

  {key}

Create a first folio:

  curl -s {base}/api/integrations/sign \
    -H 'x-api-key: Bearer {key}' \
    -F 'signers=[{{"name":"María Pérez","email":"maria@example.com","documentType":"CC","documentNumber":"1020304050","cellPhoneNumber":"3001234567"}}]' \
    -F 'folioName=Mi primer folio' -F 'folioMessage=Por favor firme el contrato.' \
    -F signatureType=1 -F urlReturn=https://example.com/gracias -F fileType=file -F sendEmail=true \
    -F {file}

{mailbox}The panel is at {base}/panel
  {ADMINISTRATOR}
  {password}
The API is described at {base}/docs
"#
    )))
}

/// Where messages are read, if here. The mailbox answers to this machine, by a name of this machine; or, where the service
/// has another address, to the token.
fn mailbox(settings: &Settings, token: Option<&MailboxToken>) -> String {
    let what = match (&settings.messages.smtp, &settings.messages.sms) {
        (None, _) => "Its invitation comes",
        (Some(_), None) => "Text messages come",
        (Some(_), Some(_)) => return String::new(),
    };
    match token {
        Some(token) if !settings.is_for_this_machine() => {
            let base = settings.base();
            format!(
                "{what} into the mailbox at {base}/mailbox?token={}\n",
                token.reveal()
            )
        }
        _ => {
            let port = settings.listen.port();
            format!("{what} into the mailbox at http://127.0.0.1:{port}/mailbox\n")
        }
    }
}

/// The file as curl's form takes it and a shell passes it on, wherever the two are run and whatever it is called.
fn to_paste(file: &Path) -> String {
    let file = file.display().to_string();
    let quoted = file.replace('\\', r"\\").replace('"', "\\\"");
    let field = format!("documents[]=@\"{quoted}\";type=application/pdf");
    format!("'{}'", field.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difficult_name_is_quoted_for_curl_and_for_the_shell() {
        assert_eq!(
            to_paste(Path::new("/a b/ejemplo.pdf")),
            r#"'documents[]=@"/a b/ejemplo.pdf";type=application/pdf'"#
        );
        assert_eq!(
            to_paste(Path::new(r#"/l'a"\"#)),
            r#"'documents[]=@"/l'\''a\"\\";type=application/pdf'"#
        );
    }
}
