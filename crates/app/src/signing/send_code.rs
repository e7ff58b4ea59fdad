//! Sending one-time codes: one for each way in which the party's folios are signed, to the contact that the company
//! named last. What the code will sign is made ready on the way.

use crate::shared::secrets::SystemRandom;
use crate::signing::accept::Acceptance;
use crate::signing::codes::TypedCodes;
use crate::signing::consent::Consent;
use crate::signing::context::{ContextFolio, SigningContext, channels};
use crate::signing::session::Session;
use crate::signing::sheets::DrawnSheets;
use crate::{App, Error};
use domain::code::{are_codes_used_up, wait_for_next_code, wait_for_recipient};
use domain::limits::{CODES_DAY, LIVE_CODES};
use domain::{Actor, Channel, Client, Code, CodeId, Event, EventKind, Origin, SentCode, Timestamp};
use store::{CodeMessage, CodeRow, CodeSend, Tx};

/// What a code is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodePurpose {
    /// To sign, having accepted this text.
    Sign {
        /// The text.
        consent: Consent,
    },
    /// To reject a folio.
    Reject,
    /// To show that the contact is the signer's own: a corrected contact and evidence need that.
    Prove,
}

impl App {
    /// Sends the codes that the session asks for. A new one ends the session's one before.
    pub async fn send_codes(
        &self,
        session: &Session,
        purpose: CodePurpose,
        client: Client,
    ) -> Result<(), Error> {
        self.send_and_reveal_codes(session, purpose, client)
            .await
            .map(drop)
    }

    /// The same with the codes, for a sandbox's scripted signers.
    pub(crate) async fn send_and_reveal_codes(
        &self,
        session: &Session,
        purpose: CodePurpose,
        client: Client,
    ) -> Result<TypedCodes, Error> {
        let now = self.clock.now();
        let sheets = match &purpose {
            CodePurpose::Sign { consent } => {
                if let Err(not_now) = self.may_ask_for_codes(session).await {
                    self.accept(session, *consent, client).await?;
                    return Err(not_now);
                }
                self.check_documents_of(session.party).await?;
                self.draw_sheets(session.party, now).await?
            }
            CodePurpose::Reject | CodePurpose::Prove => DrawnSheets::default(),
        };
        let (app, session) = (self.clone(), session.clone());
        let codes = self
            .store
            .write_retryable(move |tx| {
                let context = SigningContext::load(tx, session.party, true)?;
                session.must_hold(tx, &context)?;
                let folios = match &purpose {
                    CodePurpose::Prove => context.asked_about(now)?,
                    CodePurpose::Sign { .. } | CodePurpose::Reject => {
                        session.must_be_proven(tx, &context)?;
                        context.open(now)?
                    }
                };
                let wanted = channels(folios.iter().map(|folio| &folio.stored.folio));
                if let Some(refused) = app.refuse_to_send(tx, &context, &wanted, now)? {
                    return Err(refused);
                }
                let network = client.address.map(crate::shared::networks::network_of);
                let party = session.party.to_bytes();
                tx.put_signer_session(session.id, &party, network.as_deref(), now)?;
                if let CodePurpose::Sign { consent } = &purpose {
                    let acceptance = Acceptance {
                        session: &session,
                        consent,
                        client: &client,
                        at: now,
                    };
                    acceptance.check(tx, &context, &folios)?;
                    acceptance.record(tx, &folios)?;
                }
                let mut codes = TypedCodes::default();
                for channel in wanted {
                    let code = app.send_code(tx, (&context, &session), &folios, channel, &client, now)?;
                    match channel {
                        Channel::Email => codes.email = Some(code),
                        Channel::Sms => codes.sms = Some(code),
                    }
                }
                sheets.keep(tx, &context)?;
                Ok::<_, Error>(codes)
            })
            .await?;
        let sent = [&codes.email, &codes.sms].into_iter().flatten();
        self.signing_counts.count_sent_codes(sent.count());
        self.wakeups.outbox.notify();
        Ok(codes)
    }

    /// Fails where no code would be sent now: before sheets are drawn for it.
    async fn may_ask_for_codes(&self, session: &Session) -> Result<(), Error> {
        let signing = self.signing(session.party, Some(session)).await?;
        if let Some(until) = signing.locked_until {
            return Err(Error::Locked { until });
        }
        let waits = signing.codes.iter().filter_map(|code| code.wait);
        waits
            .max()
            .map_or(Ok(()), |retry_after| Err(Error::TooOften { retry_after }))
    }

    /// Why no code may be sent now: too soon after the last, or too many in a day, to this signer or to this address.
    fn refuse_to_send(
        &self,
        tx: &mut Tx<'_>,
        context: &SigningContext,
        wanted: &[Channel],
        now: Timestamp,
    ) -> Result<Option<Error>, Error> {
        let day = now.before(CODES_DAY);
        let sends = tx.sends_to_holder(&context.party.to_bytes(), day)?;
        let mut recipients: Vec<[u8; 32]> = wanted
            .iter()
            .map(|channel| self.codes.recipient(&context.recipient(*channel)))
            .collect();
        // In one order, so that two who ask for both never wait for each other.
        recipients.sort_unstable();
        let mut locked = Vec::new();
        for recipient in &recipients {
            let sent = tx.lock_sends_to_recipient(recipient, day)?;
            locked.extend(wait_for_recipient(
                &sent,
                self.policy.codes_to_recipient_a_day,
                now,
            ));
        }
        let mut pauses = Vec::new();
        for channel in wanted {
            let sent = times(&sends, *channel);
            let wait = wait_for_next_code(&sent, now);
            if are_codes_used_up(&sent, now) {
                locked.extend(wait);
            } else {
                pauses.extend(wait);
            }
        }
        if let Some(wait) = locked.into_iter().max() {
            return Ok(Some(Error::Locked {
                until: now.after(wait),
            }));
        }
        let retry_after = pauses.into_iter().max();
        Ok(retry_after.map(|retry_after| Error::TooOften { retry_after }))
    }

    fn send_code(
        &self,
        tx: &mut Tx<'_>,
        (context, session): (&SigningContext, &Session),
        folios: &[&ContextFolio],
        channel: Channel,
        client: &Client,
        now: Timestamp,
    ) -> Result<Code, Error> {
        let code = Code::random(&mut SystemRandom);
        let id = CodeId::random(&mut SystemRandom);
        let commitment = self.codes.commitment(id, &code);
        let row = CodeRow {
            channel,
            id,
            digest: self.codes.digest(context, session, channel, &code),
            sent: SentCode {
                sent_at: now,
                expires_at: now.after(channel.code_lifetime()),
                tries: 0,
            },
        };
        let party = context.party.to_bytes();
        tx.put_code(session.id, &party, &row, LIVE_CODES)?;
        let recipient = context.recipient(channel);
        let send = CodeSend {
            channel,
            recipient: self.codes.recipient(&recipient),
            at: now,
        };
        tx.count_sends(&party, &[send])?;
        let of_channel: Vec<_> = folios
            .iter()
            .filter(|folio| folio.stored.folio.signature_type.channel() == channel)
            .collect();
        if let Some((first, others)) = of_channel.split_first() {
            let others = others.iter().map(|own| (own.stored.folio.id, own.signer_index));
            tx.queue_code(&CodeMessage {
                company: context.company.id,
                folio: first.stored.seq,
                signer: first.signer_index,
                others: &others.collect::<Vec<_>>(),
                bulk: context.bulk.as_ref().map(|bulk| bulk.seq),
                session: session.id,
                channel,
                recipient: &recipient,
                code: id,
                secret: &self.outbox_secrets.seal("code", code.as_str().as_bytes()),
                at: now,
            })?;
        }
        let events: Vec<_> = of_channel
            .iter()
            .map(|folio| {
                let what = EventKind::CodeSent {
                    signer: folio.signer_index,
                    channel,
                    recipient: recipient.clone(),
                    code: commitment.clone(),
                    documents: folio.stored.folio.document_refs(),
                };
                let actor = Actor::Signer {
                    signer: folio.signer_index,
                };
                let origin = Origin {
                    actor,
                    client: client.clone(),
                };
                (
                    folio.stored.folio.id,
                    Event {
                        at: now,
                        origin,
                        what,
                    },
                )
            })
            .collect();
        tx.append_events(&events)?;
        Ok(code)
    }
}

/// When codes of that channel were sent.
pub(crate) fn times(sends: &[CodeSend], channel: Channel) -> Vec<Timestamp> {
    sends
        .iter()
        .filter(|send| send.channel == channel)
        .map(|send| send.at)
        .collect()
}
