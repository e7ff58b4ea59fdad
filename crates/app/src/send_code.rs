//! Sending one-time codes: one for each way in which the holder's folios are signed. What the code will sign is made
//! ready on the way.

use crate::case::{Case, channels};
use crate::holder::Holder;
use crate::secrets::SystemRandom;
use crate::{App, Error};
use domain::{Actor, Channel, Code, Event, Happening, Origin, SentCode, Timestamp};
use std::net::IpAddr;
use store::{CodeMessage, CodeRow, Tx};

impl App {
    /// Sends the codes that an act of this holder asks for. A new one ends the one before.
    pub async fn send_codes(&self, holder: Holder, address: Option<IpAddr>) -> Result<(), Error> {
        let now = self.clock.now();
        self.check_documents_of(holder).await?;
        let sheets = self.draw_sheets(holder, now).await?;
        let app = self.clone();
        self.store
            .write(move |tx| {
                let case = Case::load(tx, holder, true)?;
                let key = holder.to_bytes();
                let open = case.open(now)?;
                if let Some(until) = tx.guesses(&key)?.locked(now) {
                    return Err(Error::Locked { until });
                }
                let wanted = channels(open.iter().map(|folio| &folio.stored.folio));
                let pause = tx
                    .codes(&key)?
                    .iter()
                    .filter(|code| wanted.contains(&code.channel))
                    .filter_map(|code| code.sent.pause_left(now))
                    .max();
                if let Some(retry_after) = pause {
                    return Err(Error::TooOften { retry_after });
                }
                for channel in wanted {
                    app.send_code(tx, &case, channel, address, now)?;
                }
                Ok(tx.keep_sheets(&sheets)?)
            })
            .await?;
        self.bell.ring();
        Ok(())
    }

    fn send_code(
        &self,
        tx: &mut Tx<'_>,
        case: &Case,
        channel: Channel,
        address: Option<IpAddr>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let code = Code::random(&mut SystemRandom);
        let row = CodeRow {
            channel,
            digest: self.codes.digest(case, channel, &code),
            sent: SentCode {
                sent_at: now,
                expires_at: now.after(channel.code_lifetime()),
                tries: 0,
            },
        };
        tx.put_code(&case.holder.to_bytes(), &row)?;
        let open = case.open(now)?;
        let of_channel: Vec<_> = open
            .iter()
            .filter(|folio| folio.stored.folio.signature_type.channel() == channel)
            .collect();
        let recipient = case.recipient(channel);
        if let Some(first) = of_channel.first() {
            tx.queue_code(&CodeMessage {
                company: case.company.id,
                folio: first.stored.seq,
                signer: first.place,
                bulk: case.bulk.as_ref().map(|bulk| bulk.seq),
                channel,
                recipient: &recipient,
                secret: &self.outbox_secrets.seal("code", code.as_str().as_bytes()),
                at: now,
            })?;
        }
        let events: Vec<_> = of_channel
            .iter()
            .map(|folio| {
                let what = Happening::CodeSent {
                    signer: folio.place,
                    channel,
                    recipient: recipient.clone(),
                    documents: folio.stored.folio.document_refs(),
                };
                let actor = Actor::Signer { signer: folio.place };
                let origin = Origin { actor, address };
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
        Ok(())
    }
}
