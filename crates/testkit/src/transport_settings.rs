//! How a test application's messages leave.

use delivery::{EmailTransport, Gateway, SmsSettings, SmsTransport, Smtp, SmtpSettings, Transports};

/// The transports; what has none goes into the mailbox.
#[derive(Debug, Clone, Default)]
pub(crate) struct TransportSettings {
    pub(crate) smtp: Option<SmtpSettings>,
    pub(crate) sms: Option<SmsSettings>,
}

impl TransportSettings {
    pub(crate) fn open(&self) -> Transports {
        let host = "firmeza.example.com";
        let sender = "Firmeza <firmas@example.com>".parse().unwrap();
        let smtp = self
            .smtp
            .clone()
            .map(|smtp| Smtp::new(smtp, sender, host).unwrap());
        let gateway = self.sms.clone().map(|sms| Gateway::new(sms).unwrap());
        Transports {
            email: smtp.map_or(EmailTransport::Mailbox, |smtp| {
                EmailTransport::Smtp(Box::new(smtp))
            }),
            sms: gateway.map_or(SmsTransport::Mailbox, |gateway| {
                SmsTransport::Gateway(Box::new(gateway))
            }),
            host: host.to_owned(),
        }
    }
}
