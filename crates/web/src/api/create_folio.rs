//! `POST sign`: a new folio, its documents streamed in.

use super::answer::Answer;
use super::base64_documents::{Found, Reader};
use super::call::{Call, answered, once};
use super::errors::{Cause, Failure};
use super::fields::{Faults, Fields, mark};
use super::form::Form;
use super::signers::new_signers;
use crate::Web;
use app::create_folio::{FolioRequest, Intake, TakenDocument};
use app::{App, Notary};
use domain::folio::check_signers;
use domain::{FileName, FolioId, FolioMessage, FolioName, Problem, ReturnUrl, SignatureType, limits};
use serde::Serialize;

pub(crate) const CREATED: &str = "Folio creado exitosamente.";

/// Bytes that a form needs besides its documents.
const BESIDES: u64 = 1 << 20;
/// Text fields of a form, known or not.
const FIELDS: usize = 64;
/// Documents beyond the limit that are still counted, so that the error can name the first one too many.
const OVER: usize = 1000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    folio_id: FolioId,
    sign_process_url: String,
}

/// The fields and documents of the request.
#[derive(Default)]
struct Sent {
    fields: Fields,
    files: Vec<TakenDocument>,
    /// Whether one of them has a name or bytes: a form on which no file was chosen sends a part that has neither.
    files_came: bool,
    base64: Vec<TakenDocument>,
    /// Whether the field of base64 documents has more than blanks.
    base64_came: bool,
    /// The error in the list of base64 documents.
    base64_problem: Option<Problem>,
    document_bytes: u64,
    /// Documents that were counted and not stored, because there were too many.
    let_go: u64,
}

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let caller = web.caller(call.access()).await?;
    let sent = receive(web, call).await?;
    let ticket = call.ticket(|| sent.fingerprint(call))?;
    let request = match read(sent, &web.app.notary) {
        Ok(request) => request,
        Err(failure) => return web.refuse(call.operation, &caller, ticket, failure).await,
    };
    let links = web.app.links.clone();
    let render = move |folio: &FolioId| {
        let data = Data {
            folio_id: *folio,
            sign_process_url: links.folio(*folio),
        };
        Answer::success(CREATED, data)
    };
    let once = once(call.operation, ticket, render.clone());
    Ok(answered(
        web.app.create_folio(caller, request, once).await?,
        render,
    ))
}

async fn receive(web: &Web, call: &mut Call) -> Result<Sent, Failure> {
    let most = web.settings.request_bytes;
    // Base64 takes four bytes for three.
    let body_bytes = most / 3 * 4 + BESIDES;
    let content_type = call.content_type().to_owned();
    let parts = web.app.policy.documents.saturating_add(FIELDS + OVER);
    let mut form = Form::open(&content_type, &mut call.body, body_bytes)?.of_parts(parts);
    let mut sent = Sent::default();
    let mut texts = 0;
    while let Some(part) = form.next().await? {
        match part.name.unwrap_or_default().as_str() {
            "documents[]" | "documents" => {
                let name = part.file_name.unwrap_or_default();
                sent.file(&web.app, most, &name, &mut form).await?;
            }
            "documentsBase64" => sent.base64(&web.app, most, &mut form).await?,
            name => {
                texts += 1;
                if texts > FIELDS {
                    return Err(Cause::Malformed.into());
                }
                form.text(&mut sent.fields, name).await?;
            }
        }
    }
    form.drain().await?;
    Ok(sent)
}

impl Sent {
    async fn file(&mut self, app: &App, most: u64, name: &str, form: &mut Form<'_>) -> Result<(), Failure> {
        self.files_came |= !name.is_empty();
        let name = FileName::sanitized(name);
        let begin = || app.intake(self.taken()).with_size_hint(form.left());
        let mut intake = takes_more(app, &self.files).then(begin);
        while let Some(chunk) = form.chunk().await? {
            self.files_came |= !chunk.is_empty();
            self.count(chunk.len(), most)?;
            if let Some(intake) = &mut intake {
                intake.push(chunk).await?;
            }
        }
        match intake {
            Some(intake) => self.files.push(intake.finish(name).await?),
            None => self.let_go += 1,
        }
        Ok(())
    }

    async fn base64(&mut self, app: &App, most: u64, form: &mut Form<'_>) -> Result<(), Failure> {
        if self.fields.has("documentsBase64") {
            self.base64_problem = Some(Problem::Repeated);
        }
        // Only the presence of the field is noted; the reader takes its content.
        self.fields.push("documentsBase64", Vec::new());
        // Base64 takes four bytes for three.
        let largest = form.left().map(|left| left / 4 * 3 + 3);
        let mut reader = Reader::new();
        let mut intake: Option<Intake> = None;
        let mut found = Vec::new();
        while let Some(chunk) = form.chunk().await? {
            self.base64_came |= !chunk.trim_ascii().is_empty();
            if self.base64_problem.is_some() || !self.base64_came {
                continue;
            }
            self.base64_problem = reader.feed(&chunk, &mut found).err();
            for found in found.drain(..) {
                match found {
                    Found::Content(bytes) => {
                        self.count(bytes.len(), most)?;
                        if takes_more(app, &self.base64) {
                            let begin = || app.intake(self.taken()).with_size_hint(largest);
                            let intake = intake.get_or_insert_with(begin);
                            intake.push(bytes.into()).await?;
                        }
                    }
                    Found::Document(name) => {
                        if takes_more(app, &self.base64) {
                            let intake = intake.take().unwrap_or_else(|| app.intake(self.taken()));
                            self.base64.push(intake.finish(FileName::sanitized(&name)).await?);
                        } else {
                            self.let_go += 1;
                        }
                    }
                }
            }
        }
        if self.base64_problem.is_none() && self.base64_came {
            self.base64_problem = reader.finish().err();
        }
        Ok(())
    }

    fn taken(&self) -> impl Iterator<Item = &TakenDocument> {
        self.files.iter().chain(&self.base64)
    }

    fn count(&mut self, bytes: usize, most: u64) -> Result<(), Failure> {
        self.document_bytes += bytes as u64;
        if self.document_bytes > most {
            Err(Cause::TooLarge.into())
        } else {
            Ok(())
        }
    }

    /// The fingerprint of the request; `None` when a document was not read whole.
    fn fingerprint(&self, call: &Call) -> Option<[u8; 32]> {
        let hashes: Option<Vec<_>> = self.taken().map(|document| document.sha256).collect();
        let mut more: Vec<&[u8]> = Vec::new();
        let hashes = hashes?;
        for (document, hash) in self.taken().zip(&hashes) {
            more.push(document.name.as_str().as_bytes());
            more.push(hash);
        }
        let (let_go, problem) = (self.let_go.to_be_bytes(), self.base64_problem.as_ref().map(mark));
        more.push(&let_go);
        more.extend(problem.as_deref());
        Some(self.fields.fingerprint(call.operation.name(), &more))
    }
}

/// Whether one more document is stored. The first one too many is, so that the error can name it.
fn takes_more(app: &App, taken: &[TakenDocument]) -> bool {
    taken.len() <= app.policy.documents
}

fn read(sent: Sent, notary: &Notary) -> Result<FolioRequest, Failure> {
    let fields = &sent.fields;
    let mut faults = Faults::default();
    let signers = faults.take("signers", fields.json("signers"));
    let signers = signers.and_then(|json| new_signers("signers", json, limits::SIGNERS, &mut faults));
    let own = signers
        .iter()
        .flatten()
        .map(|signer| notary.is_own_name(signer.name.as_str()));
    for (place, _) in own.enumerate().filter(|(_, own)| *own) {
        faults.take::<()>(format!("signers[{place}].name"), Err(Problem::ServiceName));
    }
    let signers =
        signers.and_then(|signers| faults.take("signers", check_signers(&signers).map(|()| signers)));
    let name = faults.take("folioName", fields.text("folioName").and_then(FolioName::new));
    let message = faults.take(
        "folioMessage",
        fields.text("folioMessage").and_then(FolioMessage::new),
    );
    let signature_type = faults.take("signatureType", one_of(fields, "signatureType", &["1", "2"]));
    let url = fields
        .text("urlReturn")
        .and_then(|text| ReturnUrl::new(text, limits::RETURN_URL));
    let url = faults.take("urlReturn", url);
    let file_type = faults.take("fileType", one_of(fields, "fileType", &["file", "base64"]));
    let send_email = faults.take("sendEmail", one_of(fields, "sendEmail", &["true", "false"]));
    let documents = file_type.and_then(|kind| documents(sent, kind == 1, &mut faults));
    let request = (|| {
        Some(FolioRequest {
            name: name?,
            message: message?,
            signature_type: if signature_type? == 0 {
                SignatureType::EmailCode
            } else {
                SignatureType::SmsCode
            },
            return_url: url?,
            send_email: send_email? == 0,
            signers: signers?,
            documents: documents?,
        })
    })();
    faults.unless_any(request).map_err(|failure| match failure {
        // A create names its first fault, whatever it is.
        Failure::Faults(_, faults) => Failure::Faults(Cause::Malformed, faults),
        other => other,
    })
}

/// The documents of the chosen kind. Documents of the other kind are an error.
fn documents(sent: Sent, base64: bool, faults: &mut Faults) -> Option<Vec<TakenDocument>> {
    let (own, documents, other, other_came) = if base64 {
        ("documentsBase64", sent.base64, "documents[]", sent.files_came)
    } else {
        ("documents[]", sent.files, "documentsBase64", sent.base64_came)
    };
    if other_came {
        faults.take::<()>(other, Err(Problem::Unexpected));
    }
    match sent.base64_problem.filter(|_| base64) {
        Some(problem) => faults.take(own, Err(problem)),
        None if documents.is_empty() => faults.take(own, Err(Problem::Missing)),
        None => Some(documents),
    }
}

/// The index of the field's value among the allowed ones.
fn one_of(fields: &Fields, name: &str, allowed: &'static [&'static str]) -> Result<usize, Problem> {
    let text = fields.text(name)?;
    allowed
        .iter()
        .position(|word| *word == text)
        .ok_or(Problem::NotOneOf { allowed })
}
