//! A company's system that creates a folio, and the people who sign it. They try again until it is done, at whatever
//! instance answers, and remember what was acknowledged.

use crate::cluster::Cluster;
use crate::world::TakenMessage;
use app::folios::create::FolioRequest;
use app::shared::idempotency::{IdempotencyKey, Idempotent};
use app::signing::consent::Consent;
use app::signing::sign::{Attempt, Signed};
use app::{CodePurpose, Error, IdempotentResult, Session, SigningParty};
use domain::{
    Channel, Code, Contact, DocumentNumber, DocumentType, Email, FileName, FolioId, FolioMessage, FolioName,
    Mobile, NewSigner, Observation, PersonName, ReturnUrl, SignatureType, SignerIndex, SignerState,
};
use std::rc::Rc;
use std::time::Duration;
use store::StoredResponse;
use tokio::time::sleep;

/// Looks for the code before a signer asks for another.
const MAX_CODE_LOOKS: u32 = 40;
const LOOK_INTERVAL: Duration = Duration::from_millis(500);

/// What a client wants, and what was acknowledged in the end.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) name: String,
    pub(crate) signers: usize,
    pub(crate) channel: Channel,
    pub(crate) wish: Wish,
    pub(crate) folio: Option<FolioId>,
}

/// What is to become of a folio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Created,
    Signed,
    Cancelled,
}

impl Order {
    /// The order of the client with that number.
    pub(crate) fn of(cluster: &Cluster, number: usize) -> Self {
        let chance = &cluster.site.world.chance;
        Self {
            name: format!("Contrato {number}"),
            signers: 1 + usize::try_from(chance.below(2)).unwrap(),
            channel: if chance.one_in(4) {
                Channel::Sms
            } else {
                Channel::Email
            },
            wish: match number {
                0 => Wish::Signed,
                1 => Wish::Cancelled,
                _ => Wish::Created,
            },
            folio: None,
        }
    }

    /// Has it done, however often that takes.
    pub(crate) async fn carry_out(mut self, cluster: Rc<Cluster>) -> Self {
        let folio = self.create(&cluster).await;
        self.folio = Some(folio);
        cluster
            .site
            .world
            .note(format_args!("client: {} is created", self.name));
        match self.wish {
            Wish::Created => {}
            Wish::Cancelled => cancel(&cluster, folio).await,
            Wish::Signed => {
                for signer_index in (0..self.signers).map(SignerIndex) {
                    let party = SigningParty::Signer { folio, signer_index };
                    sign(&cluster, party, self.channel).await;
                    let world = &cluster.site.world;
                    world.note(format_args!(
                        "client: {} is signed by {signer_index:?}",
                        self.name
                    ));
                }
            }
        }
        self
    }

    async fn create(&self, cluster: &Cluster) -> FolioId {
        loop {
            let mut connection = cluster.connect().await;
            let app = connection.app.clone();
            let created = connection.request(async {
                let mut upload = app.start_upload([]);
                upload.push(testkit::pdf::saying(&self.name).into()).await?;
                let document = upload.finish(FileName::new("contrato.pdf")).await?;
                let caller = cluster.site.caller.clone();
                app.create_folio(caller, self.request(document), Some(self.idempotent()))
                    .await
            });
            match created.await {
                Some(Ok(IdempotentResult::Fresh(folio))) => return folio,
                Some(Ok(IdempotentResult::Replayed(answer))) => return answer.body.parse().unwrap(),
                Some(Err(error)) => cluster
                    .site
                    .world
                    .note(format_args!("client: not created: {error}")),
                None => {}
            }
            pause(cluster).await;
        }
    }

    fn idempotent(&self) -> Idempotent<FolioId> {
        Idempotent {
            idempotency_key: IdempotencyKey {
                key: self.name.clone(),
                fingerprint: [7; 32],
            },
            render: Box::new(|outcome| {
                let folio = outcome.as_ref().ok()?;
                Some(StoredResponse {
                    status: 200,
                    body: folio.to_string(),
                })
            }),
        }
    }

    fn request(&self, document: app::folios::create::UploadedDocument) -> FolioRequest {
        let signer = |place: usize| NewSigner {
            name: PersonName::new(format!("María Pérez {place}")).unwrap(),
            document_type: DocumentType::from_code("CC").unwrap(),
            document_number: DocumentNumber::new(format!("100{place}")).unwrap(),
            // The signers of all folios share their contacts: messages to one recipient stay in order.
            contact: Contact {
                email: Email::new(format!("maria.{place}@example.com")).unwrap(),
                mobile: Mobile::new(&format!("300123456{place}")).unwrap(),
            },
        };
        FolioRequest {
            name: FolioName::new(self.name.clone()).unwrap(),
            message: FolioMessage::new("Por favor firme.").unwrap(),
            signature_type: match self.channel {
                Channel::Email => SignatureType::EmailCode,
                Channel::Sms => SignatureType::SmsCode,
            },
            return_url: ReturnUrl::new("https://cliente.example.com/", 500).unwrap(),
            send_email: true,
            signers: (0..self.signers).map(signer).collect(),
            documents: vec![document],
            language: None,
        }
    }
}

async fn pause(cluster: &Cluster) {
    sleep(cluster.site.world.chance.millis(100..2_000)).await;
}

async fn cancel(cluster: &Cluster, folio: FolioId) {
    loop {
        let mut connection = cluster.connect().await;
        let (app, caller) = (connection.app.clone(), cluster.site.caller.clone());
        let why = Observation::new("El cliente cambió de opinión").unwrap();
        let cancelled = connection.request(app.cancel_folios(caller, vec![folio], false, why, None));
        if let Some(Ok(_)) = cancelled.await {
            cluster.site.world.note("client: cancelled");
            return;
        }
        pause(cluster).await;
    }
}

/// Asks for codes and types them, until the signature is there.
async fn sign(cluster: &Cluster, party: SigningParty, channel: Channel) {
    let mut session = None;
    loop {
        let mut connection = cluster.connect().await;
        let app = connection.app.clone();
        let signed = connection.request(try_to_sign(cluster, &app, party, channel, &mut session));
        match signed.await {
            Some(Ok(true)) => return,
            Some(Ok(false)) | None => {}
            Some(Err(Error::TooOften { retry_after })) => {
                cluster
                    .site
                    .world
                    .note(format_args!("client: waits for {retry_after:?}"));
                sleep(retry_after).await;
            }
            Some(Err(error)) => {
                cluster
                    .site
                    .world
                    .note(format_args!("client: not signed: {error}"));
                if matches!(error, Error::SessionOver) {
                    session = None;
                }
            }
        }
        pause(cluster).await;
    }
}

/// Whether the signature is there.
async fn try_to_sign(
    cluster: &Cluster,
    app: &app::App,
    party: SigningParty,
    channel: Channel,
    session: &mut Option<Session>,
) -> Result<bool, Error> {
    let SigningParty::Signer { signer_index, .. } = party else {
        unreachable!("no bulk signatures here")
    };
    let signing = app.signing(party, None).await?;
    let folio = &signing.folios[0].folio;
    if folio.signers[signer_index.0].state == SignerState::Signed {
        return Ok(true);
    }
    let name = folio.name.to_string();
    let session = session
        .get_or_insert_with(|| {
            app.sessions
                .begin(party, signing.session_generation, app.clock.now())
        })
        .clone();
    let seen = cluster.site.world.messages().len();
    let purpose = CodePurpose::Sign {
        consent: Consent::SPANISH,
    };
    match app
        .send_codes(&session, purpose, domain::Client::at(testkit::SIGNER_ADDRESS))
        .await
    {
        // It may be under way.
        Ok(()) | Err(Error::Unconfirmed(_)) => {}
        Err(error) => return Err(error),
    }
    for _ in 0..MAX_CODE_LOOKS {
        sleep(LOOK_INTERVAL).await;
        let messages = cluster.site.world.messages();
        // A text message to a number is a code; an email names its folio.
        let is_mine = |message: &&TakenMessage| message.to.starts_with('+') || message.text.contains(&name);
        let codes = messages[seen..].iter().filter(is_mine);
        let Some(code) = codes.filter_map(|message| code_in(&message.text)).next_back() else {
            continue;
        };
        let attempt = Attempt {
            codes: testkit::typed(channel, code),
            picture: None,
            client: domain::Client::at(testkit::SIGNER_ADDRESS),
        };
        let signed = app.sign_folios(&session, attempt).await?;
        cluster
            .site
            .world
            .note(format_args!("client: code typed: {}", words(&signed)));
        return Ok(matches!(signed, Signed::Done(_)));
    }
    Ok(false)
}

fn words(signed: &Signed) -> &'static str {
    match signed {
        Signed::Done(_) => "right",
        Signed::WrongCode { .. } => "wrong",
        Signed::NoCode { .. } => "no code",
    }
}

/// The code in a message's text: a word of six digits, which no other text has. Hashes have more signs.
fn code_in(text: &str) -> Option<Code> {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|digit| digit.is_ascii_digit());
    words.find(is_code).and_then(Code::typed)
}
