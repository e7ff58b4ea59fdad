//! How messages leave: the mail server, the SMS gateway, or the sandbox's own mailbox.

use super::source::{SettingsSource, bad_setting};
use super::{BadSetting, Environment, Settings};
use delivery::{
    EmailTransport, Format, Gateway, Sender, SmsSettings, SmsTransport, Smtp, SmtpSettings, Transports,
};
use std::error::Error;
use url::Url;
use web::EmailReportsToken;

/// The warning of an installation without a gateway for text messages.
pub(crate) const NO_SMS: &str = "no text message can leave: folios with signatureType 2 cannot be signed";

/// What an installation whose text messages cross a network in the clear must hear.
pub(crate) const PLAIN_SMS: &str =
    "codes go to the SMS gateway unencrypted: a reader of the network between sees them";

/// What was set about messages.
#[derive(Debug, Clone)]
pub(crate) struct Messages {
    pub(crate) smtp: Option<SmtpSettings>,
    pub(crate) sms: Option<SmsSettings>,
    /// What a provider shows to report bounces and complaints.
    pub(crate) email_reports: Option<EmailReportsToken>,
    /// Whether this instance sends messages, or leaves it to others.
    pub(crate) send: bool,
    sender: Option<Sender>,
}

impl Messages {
    pub(super) fn read(source: &SettingsSource) -> Self {
        let smtp = source.get("smtp_url").map(|text| {
            SmtpSettings::parse(&text).map_err(|error| bad_setting("smtp_url", error.to_string()))
        });
        let sender = source.get("mail_from").map(|text| {
            text.parse::<Sender>()
                .map_err(|_| bad_setting("mail_from", "must be an address, or a name and <an address>"))
        });
        let sms = source.url("sms_url").map(|url| SmsSettings {
            url,
            format: source.parse("sms_format").unwrap_or(Format::Json),
            from: source.get("sms_from"),
            authorization: source.get("sms_authorization"),
            accepted: source.get("sms_accepted"),
        });
        Self {
            smtp: source.or_complain(smtp.transpose(), None),
            sms,
            email_reports: source.or_complain(email_reports_token(source), None),
            send: source.one_of("send_messages", &["true", "false"]) == 0,
            sender: source.or_complain(sender.transpose(), None),
        }
    }
}

/// A token that cannot be guessed.
fn email_reports_token(source: &SettingsSource) -> Result<Option<EmailReportsToken>, BadSetting> {
    let token = source.get("email_reports_token").map(EmailReportsToken::new);
    token
        .map(|token| {
            token.ok_or_else(|| {
                bad_setting(
                    "email_reports_token",
                    "must have at least 32 visible ASCII characters",
                )
            })
        })
        .transpose()
}

impl Settings {
    /// The name that this service goes by in messages.
    fn host(&self) -> &str {
        self.base_url.host_str().unwrap_or("localhost")
    }

    /// The mail server, where there is one.
    pub(crate) fn smtp(&self) -> Result<Option<Smtp>, Box<dyn Error>> {
        let Some(smtp) = &self.messages.smtp else {
            return Ok(None);
        };
        let sender = match &self.messages.sender {
            Some(sender) => sender.clone(),
            None => format!("Firmeza <firmeza@{}>", self.host())
                .parse()
                .map_err(|_| {
                    bad_setting(
                        "mail_from",
                        "must be set: no address follows from the base address",
                    )
                })?,
        };
        let smtp = Smtp::new(smtp.clone(), sender, self.host());
        Ok(Some(
            smtp.map_err(|error| bad_setting("smtp_url", error.to_string()))?,
        ))
    }

    /// The SMS gateway, where there is one.
    pub(crate) fn gateway(&self) -> Result<Option<Gateway>, Box<dyn Error>> {
        let gateway = self.messages.sms.clone().map(Gateway::new).transpose();
        Ok(gateway.map_err(|error| bad_setting("sms_format", error.to_string()))?)
    }

    /// The transports; what has none goes into the mailbox of a sandbox.
    pub(crate) fn transports(&self) -> Result<Transports, Box<dyn Error>> {
        let sandbox = self.environment == Environment::Sandbox;
        Ok(Transports {
            email: self.smtp()?.map_or(EmailTransport::Mailbox, |smtp| {
                EmailTransport::Smtp(Box::new(smtp))
            }),
            sms: match self.gateway()? {
                Some(gateway) => SmsTransport::Gateway(Box::new(gateway)),
                None if sandbox => SmsTransport::Mailbox,
                None => SmsTransport::Disabled,
            },
            host: self.host().to_owned(),
        })
    }

    /// Whether text messages have a way out, if only into the mailbox, or by others where this instance sends nothing.
    pub(crate) fn sends_sms(&self) -> bool {
        let sandbox = self.environment == Environment::Sandbox;
        sandbox || self.messages.sms.is_some() || !self.messages.send
    }

    /// Whether no other authority stamps the time.
    pub(crate) const fn stamps_time_itself(&self) -> bool {
        self.tsa.is_empty()
    }

    /// Whether text messages leave this machine unencrypted.
    pub(crate) fn sends_sms_in_the_clear(&self) -> bool {
        let sms = self.messages.sms.as_ref();
        sms.is_some_and(|sms| crosses_in_the_clear(&sms.url))
    }

    /// Whether messages go into the mailbox, which then is shown.
    pub(crate) fn has_mailbox(&self) -> bool {
        let sandbox = self.environment == Environment::Sandbox;
        sandbox && (self.messages.smtp.is_none() || self.messages.sms.is_none())
    }
}

fn crosses_in_the_clear(url: &Url) -> bool {
    let is_here = url
        .host_str()
        .is_some_and(web::http::client_address::is_this_machine);
    url.scheme() != "https" && !is_here
}

#[cfg(test)]
mod tests {
    use super::crosses_in_the_clear;

    #[test]
    fn plain_http_to_another_machine_is_in_the_clear() {
        let crosses = |url: &str| crosses_in_the_clear(&url.parse().unwrap());
        assert!(crosses("http://sms.example.com/send") && crosses("http://10.0.0.7:13013/"));
        assert!(!crosses("https://sms.example.com/send"));
        assert!(!crosses("http://127.0.0.1:13013/") && !crosses("http://localhost/send"));
    }
}
