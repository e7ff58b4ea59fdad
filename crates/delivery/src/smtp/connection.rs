//! A connection to a mail server, stage by stage.

use super::message::Ready;
use super::settings::{Security, SmtpSettings};
use crate::{Failure, Reason};
use app::messages::SendFailure;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use std::error::Error as _;
use std::time::Duration;
use tokio::net::TcpStream;

/// How long a farewell may take.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) struct Connection {
    smtp: AsyncSmtpConnection,
    authenticated: bool,
    /// Messages it has carried.
    pub(super) sent: usize,
}

impl Connection {
    /// Connects, encrypts and authenticates. Every failure is transient.
    pub(super) async fn open(
        settings: &SmtpSettings,
        tls: Option<&TlsParameters>,
        hello: &ClientId,
    ) -> Result<Self, Failure> {
        let server = (settings.host.as_str(), settings.port);
        let implicit = tls.filter(|_| settings.security == Security::Implicit);
        let connected = if let Some(tls) = implicit {
            AsyncSmtpConnection::connect_tokio1(server, None, hello, Some(tls.clone()), None).await
        } else {
            let stream = TcpStream::connect(server)
                .await
                .map_err(|error| Failure::transient(Reason::detailed(SendFailure::NoServer, error)))?;
            // Without it, the last part of a message may wait for the server's acknowledgement (Nagle's algorithm).
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "TCP_NODELAY could not be set on a connection to the mail server");
            }
            AsyncSmtpConnection::connect_with_transport(Box::new(stream), hello).await
        };
        let mut smtp = connected.map_err(|error| during(SendFailure::Connecting, &error))?;
        if let (Security::StartTls, Some(tls)) = (settings.security, tls) {
            smtp.starttls(tls.clone(), hello)
                .await
                .map_err(|error| during(SendFailure::StartTls, &error))?;
        }
        if let Some((user, password)) = &settings.credentials {
            let credentials = Credentials::new(user.clone(), password.clone());
            smtp.auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
                .await
                .map_err(|error| during(SendFailure::Authentication, &error))?;
        }
        Ok(Self {
            smtp,
            authenticated: settings.credentials.is_some(),
            sent: 0,
        })
    }

    pub(super) fn describe(&self) -> String {
        let info = self.smtp.server_info();
        let tls = if self.smtp.is_encrypted() {
            "with TLS"
        } else {
            "without TLS"
        };
        let user = if self.authenticated { ", authenticated" } else { "" };
        format!("{} answers {tls}{user}", info.name())
    }

    /// Begins a message. Every failure is transient, except an address that this server does not support.
    pub(super) async fn begin(&mut self, ready: &Ready) -> Result<(), Failure> {
        let mut parameters = Vec::new();
        if ready.international {
            if !self.smtp.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(Failure::permanent(SendFailure::AsciiOnly));
            }
            parameters.push(MailParameter::SmtpUtfEight);
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        let begun = self
            .smtp
            .command(Mail::new(Some(ready.from.clone()), parameters))
            .await;
        begun
            .map(drop)
            .map_err(|error| during(SendFailure::Sender, &error))
    }

    /// Names the recipient and hands the message over; what the server answers to that. A refusal here is for good, where the
    /// server says so.
    pub(super) async fn finish(&mut self, ready: &Ready) -> Result<String, Failure> {
        let named = self.smtp.command(Rcpt::new(ready.to.clone(), Vec::new())).await;
        named.map_err(|error| refused(SendFailure::Recipient, &error))?;
        self.smtp
            .command(Data)
            .await
            .map_err(|error| refused(SendFailure::Data, &error))?;
        // One write for all of it, and then the answer that counts.
        let taken = self.smtp.command(&ready.data).await;
        let taken = taken.map_err(|error| refused(SendFailure::Message, &error))?;
        self.sent += 1;
        let lines: Vec<&str> = taken.message().collect();
        Ok(format!("{} {}", taken.code(), lines.join(" ")))
    }

    /// Says goodbye, without waiting long for an answer.
    pub(super) async fn quit(&mut self) {
        if tokio::time::timeout(QUIT_TIMEOUT, self.smtp.abort())
            .await
            .is_err()
        {
            tracing::debug!("the mail server did not answer QUIT in time");
        }
    }
}

fn during(stage: SendFailure, error: &Error) -> Failure {
    Failure::transient(reason(stage, error))
}

fn refused(stage: SendFailure, error: &Error) -> Failure {
    if error.is_permanent() {
        Failure::permanent(reason(stage, error))
    } else {
        during(stage, error)
    }
}

/// What the server replied, as it sent it, or else what the program found.
fn reason(stage: SendFailure, error: &Error) -> Reason {
    match (error.status(), error.source()) {
        (Some(status), Some(said)) => Reason::detailed(stage, format_args!("{status} {said}")),
        (Some(status), None) => Reason::detailed(stage, status),
        (None, _) => Reason::detailed(stage, error),
    }
}
