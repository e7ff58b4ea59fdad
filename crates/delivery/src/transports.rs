//! The transports for email and text messages, and sending one message.

use crate::backoff::send_deadline;
use crate::call_span::in_call_span;
use crate::failure::{plain_reply, stage};
use crate::outbox::compose::{Composed, Composer};
use crate::sms::{Gateway, Sms};
use crate::smtp::{EmailMessage, Smtp};
use crate::{Failure, MessageId};
use app::messages::{DocumentCopy, SendFailure};
use app::{Clock, Links, Sealer};
use domain::{Channel, Code, Template, Timestamp};
use jiff::tz::TimeZone;
use std::sync::Arc;
use store::{LeasedMessage, Mail, MailRow};

/// How emails leave.
#[derive(Debug)]
pub enum EmailTransport {
    /// Into the built-in mailbox.
    Mailbox,
    /// By a mail server.
    Smtp(Box<Smtp>),
    /// Into a simulation.
    #[cfg(feature = "simulation")]
    Simulated(std::sync::Arc<dyn crate::simulated::World>),
}

/// How text messages leave.
#[derive(Debug)]
pub enum SmsTransport {
    /// Into the built-in mailbox.
    Mailbox,
    /// By a gateway.
    Gateway(Box<Gateway>),
    /// Not at all.
    Disabled,
    /// Into a simulation.
    #[cfg(feature = "simulation")]
    Simulated(std::sync::Arc<dyn crate::simulated::World>),
}

/// A message that was handed over.
#[derive(Debug, Default)]
pub(crate) struct HandedOver {
    /// What is to be put into the built-in mailbox, where that is its way.
    pub(crate) mail: Option<Mail>,
    /// What the server or the gateway answered.
    pub(crate) reply: Option<String>,
}

impl HandedOver {
    fn to_mailbox(mail: Mail) -> Self {
        Self {
            mail: Some(mail),
            reply: None,
        }
    }

    fn with_reply(reply: String) -> Self {
        Self {
            mail: None,
            reply: Some(reply),
        }
    }
}

/// The result of sending.
pub(crate) type SendResult = Result<HandedOver, Failure>;

/// The transports of this installation.
#[derive(Debug)]
pub struct Transports {
    /// For emails.
    pub email: EmailTransport,
    /// For text messages.
    pub sms: SmsTransport,
    /// The service's host, as messages are named after it.
    pub host: String,
}

/// What composing a message needs: clock, secrets and links.
#[derive(Debug, Clone)]
pub(crate) struct ComposeContext {
    pub(crate) clock: Clock,
    pub(crate) secrets: Sealer,
    pub(crate) links: Links,
    /// The zone in which a company without its own reads times.
    pub(crate) zone: TimeZone,
    /// Where the panel is.
    pub(crate) base_url: Arc<str>,
}

impl Transports {
    /// Everything goes into the built-in mailbox.
    pub fn mailbox(host: &str) -> Self {
        Self {
            email: EmailTransport::Mailbox,
            sms: SmsTransport::Mailbox,
            host: host.to_owned(),
        }
    }

    /// Whether anything goes into the built-in mailbox.
    pub fn has_mailbox(&self) -> bool {
        matches!(self.email, EmailTransport::Mailbox) || matches!(self.sms, SmsTransport::Mailbox)
    }

    pub(crate) fn id_of(&self, leased: &LeasedMessage) -> MessageId {
        MessageId::new(leased.folio, leased.seq, &self.host)
    }

    /// Whether emails carry documents: the built-in mailbox keeps texts alone.
    pub(crate) const fn takes_attachments(&self) -> bool {
        matches!(self.email, EmailTransport::Smtp(_))
    }

    /// Sends the message, with these documents attached. A server that refuses the email for good gets it once more without
    /// them: it may be too large for it.
    pub(crate) async fn send(
        &self,
        leased: &LeasedMessage,
        attachments: &[DocumentCopy],
        context: &ComposeContext,
    ) -> SendResult {
        let sent = self.send_once(leased, attachments, context).await;
        match sent {
            Err(Failure::Permanent(reason))
                if !attachments.is_empty() && stage(&reason) == SendFailure::Message.stored() =>
            {
                tracing::warn!(seq = leased.seq.0, "a message is sent without its attachments");
                self.send_once(leased, &[], context).await
            }
            sent => sent,
        }
    }

    async fn send_once(
        &self,
        leased: &LeasedMessage,
        attachments: &[DocumentCopy],
        context: &ComposeContext,
    ) -> SendResult {
        if leased.superseded || is_late_reminder(leased, context.clock.now()) {
            return Err(Failure::Superseded);
        }
        // It may carry the signer's own link.
        if leased.misdirected {
            return Err(Failure::permanent(SendFailure::OtherAddress));
        }
        if leased.bounces {
            return Err(Failure::permanent(SendFailure::NoMailbox));
        }
        let code = open_code(leased, context)?;
        let sent = self.dispatch(leased, code.as_deref(), attachments, context).await;
        let private = redactions(&leased.recipient, code.as_deref());
        match sent {
            Ok(HandedOver { mail, reply }) => Ok(HandedOver {
                mail,
                reply: reply.map(|reply| plain_reply(&reply, &private)),
            }),
            Err(failure) => Err(failure.without(&private)),
        }
    }

    async fn dispatch(
        &self,
        leased: &LeasedMessage,
        code: Option<&str>,
        attachments: &[DocumentCopy],
        context: &ComposeContext,
    ) -> SendResult {
        let composed = Composer {
            links: &context.links,
            code,
            zone: &context.zone,
            attachments,
        }
        .compose(leased)
        .ok_or_else(|| Failure::permanent(SendFailure::NoText))?;
        let id = self.id_of(leased);
        match (leased.channel, &self.sms) {
            (Channel::Email, _) => {
                // The reader of the old address may be another person.
                let to_old_contact =
                    matches!(leased.template, Template::ContactChanged | Template::OtherContact);
                let name = (!to_old_contact).then_some(leased.signer_name.as_str());
                self.send_email(id, &leased.company, &leased.recipient, name, composed, context)
                    .await
            }
            (Channel::Sms, SmsTransport::Mailbox) => Ok(HandedOver::to_mailbox(mail(
                &id,
                leased.channel,
                &leased.recipient,
                composed,
                context,
            ))),
            (Channel::Sms, SmsTransport::Gateway(gateway)) => {
                let sms = Sms {
                    to: &leased.recipient,
                    text: &composed.text,
                    id: &id.to_string(),
                };
                in_call_span("sms", gateway.send(sms))
                    .await
                    .map(HandedOver::with_reply)
            }
            #[cfg(feature = "simulation")]
            (Channel::Sms, SmsTransport::Simulated(world)) => world
                .take_message(&id, &leased.recipient, &composed.text)
                .await
                .map(|()| HandedOver::default()),
            (Channel::Sms, SmsTransport::Disabled) => Err(Failure::permanent(SendFailure::NoGateway)),
        }
    }

    /// Sends an email the way that emails go.
    pub(crate) async fn send_email(
        &self,
        id: MessageId,
        company: &str,
        recipient: &str,
        name: Option<&str>,
        composed: Composed,
        context: &ComposeContext,
    ) -> SendResult {
        match &self.email {
            EmailTransport::Mailbox => Ok(HandedOver::to_mailbox(mail(
                &id,
                Channel::Email,
                recipient,
                composed,
                context,
            ))),
            #[cfg(feature = "simulation")]
            EmailTransport::Simulated(world) => world
                .take_message(&id, recipient, &composed.text)
                .await
                .map(|()| HandedOver::default()),
            EmailTransport::Smtp(smtp) => {
                let message = EmailMessage {
                    id,
                    at: context.clock.now(),
                    company,
                    recipient,
                    name,
                    subject: &composed.subject,
                    text: &composed.text,
                    html: &composed.html,
                    attachments: &composed.attachments,
                };
                // Boxed: it is far larger than the futures around it.
                let sending = Box::pin(smtp.send(&message));
                in_call_span("smtp", sending).await.map(HandedOver::with_reply)
            }
        }
    }
}

/// What is put into the built-in mailbox.
fn mail(
    id: &MessageId,
    channel: Channel,
    recipient: &str,
    composed: Composed,
    context: &ComposeContext,
) -> Mail {
    Mail {
        seq: MailRow::ZERO,
        message_id: id.to_string(),
        channel,
        recipient: recipient.to_owned(),
        subject: composed.subject,
        text: composed.text,
        html: composed.html,
        at: context.clock.now(),
    }
}

/// The private parts of a message, in the forms in which servers repeat them; they are removed from
/// reasons.
pub(crate) fn redactions<'m>(recipient: &'m str, secret: Option<&'m str>) -> Vec<&'m str> {
    let digits = recipient.trim_start_matches('+');
    let mut words = vec![recipient, digits];
    if let Some((local, _)) = recipient.rsplit_once('@') {
        // A server may repeat the domain in another case.
        words.push(&recipient[..=local.len()]);
    } else {
        let national = digits.len().checked_sub(10);
        words.extend(national.and_then(|from| digits.get(from..)));
    }
    words.extend(secret);
    words
}

/// Whether the message reminds of what can no longer be signed.
fn is_late_reminder(leased: &LeasedMessage, now: Timestamp) -> bool {
    leased.template == Template::Reminder && leased.expires_at.is_some_and(|end| end <= now)
}

/// The code that the message carries, while it is worth sending.
fn open_code(leased: &LeasedMessage, context: &ComposeContext) -> Result<Option<String>, Failure> {
    if leased.template != Template::Code {
        return Ok(None);
    }
    if context.clock.now() >= send_deadline(leased) {
        return Err(Failure::permanent(SendFailure::CodeExpired));
    }
    let sealed = leased.secret.as_deref().unwrap_or_default();
    let code = context.secrets.open("code", sealed);
    let code = code.and_then(|code| String::from_utf8(code).ok());
    let code = code.filter(|code| Code::typed(code).is_some());
    // Sealed under another master key, by an instance that has it: that one can send it.
    code.map(Some)
        .ok_or_else(|| Failure::transient(SendFailure::CodeSealed))
}
