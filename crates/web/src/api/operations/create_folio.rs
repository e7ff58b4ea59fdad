//! `POST sign`: a new folio, its documents streamed in.

use crate::Web;
use crate::api::base64_documents::{Decoded, Reader};
use crate::api::errors::{ApiError, Cause};
use crate::api::fields::{FieldParts, Fields, InvalidFields, problem_bytes};
use crate::api::request::ApiRequest;
use crate::api::response::ApiResponse;
use crate::api::signers::new_signers;
use crate::http::form::MultipartForm;
use app::folios::create::{DocumentUpload, FolioRequest, UploadedDocument};
use app::{App, Caller, Notary};
use domain::folio::check_signers;
use domain::{
    FieldError, FileName, FolioId, FolioMessage, FolioName, Language, ReturnUrl, SignatureType, limits,
};
use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8};
use serde::Serialize;
use std::borrow::Cow;

pub(crate) const CREATED: &str = "Folio creado exitosamente.";

/// Bytes that a form needs besides its documents.
const FORM_OVERHEAD_BYTES: u64 = 1 << 20;
/// Documents that pass the limit together are read up to this multiple of it.
const MAX_READ_FACTOR: u64 = 2;
/// Text fields of a form, known or not.
const MAX_TEXT_FIELDS: usize = 64;
/// Documents beyond the limit that are still counted, so that the error can name the first one too many.
const MAX_COUNTED_EXTRA_DOCUMENTS: usize = 1000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreatedFolio {
    folio_id: FolioId,
    sign_process_url: String,
}

/// The fields and documents of the request.
#[derive(Default)]
struct ReceivedForm {
    fields: Fields,
    files: Vec<UploadedDocument>,
    /// Whether one of them has a name or bytes: a form on which no file was chosen sends a part that has neither.
    files_came: bool,
    base64: Vec<UploadedDocument>,
    /// Whether the field of base64 documents is there.
    base64_seen: bool,
    /// Whether the field of base64 documents has more than blanks.
    base64_came: bool,
    /// The error in the list of base64 documents.
    base64_problem: Option<FieldError>,
    document_bytes: u64,
    /// Documents that were counted and not stored, because there were too many.
    skipped_documents: u64,
}

pub(crate) async fn handle(
    web: &Web,
    caller: Caller,
    request: &mut ApiRequest,
) -> Result<ApiResponse, ApiError> {
    let received = receive(web, request).await?;
    let idempotency_key = request.idempotency_key(|| received.fingerprint(request))?;
    let links = web.app.links.clone();
    let render = move |folio: &FolioId| {
        let data = CreatedFolio {
            folio_id: *folio,
            sign_process_url: links.folio(*folio),
        };
        ApiResponse::success(CREATED, data)
    };
    web.act_once(
        request.operation,
        caller,
        idempotency_key,
        read(received, &web.app.notary),
        |caller, folio_request, idempotent| web.app.create_folio(caller, folio_request, idempotent),
        render,
    )
    .await
}

async fn receive(web: &Web, request: &mut ApiRequest) -> Result<ReceivedForm, ApiError> {
    let max_bytes = web.settings.request_bytes;
    // Read beyond the limit, so that the answer can say which document is too much. Base64 takes four bytes for three.
    let body_bytes = max_bytes.saturating_mul(MAX_READ_FACTOR) / 3 * 4 + FORM_OVERHEAD_BYTES;
    let content_type = request.content_type().to_owned();
    let parts = web
        .app
        .policy
        .documents
        .saturating_add(MAX_TEXT_FIELDS + MAX_COUNTED_EXTRA_DOCUMENTS);
    let mut form = MultipartForm::open(&content_type, &mut request.body, body_bytes)?.with_max_parts(parts);
    let mut received = ReceivedForm::default();
    let mut parts = FieldParts::default();
    let mut texts = 0;
    while let Some(part) = form.next().await? {
        match part.name.unwrap_or_default().as_str() {
            name if is_document(name) => {
                let name = part.file_name.unwrap_or_default();
                received.file(&web.app, max_bytes, &name, &mut form).await?;
            }
            "documentsBase64" => {
                let charset = part.charset.or(parts.form_charset());
                received.base64(&web.app, max_bytes, charset, &mut form).await?;
                // Only the presence of the field is noted; the reader took its content.
                parts.push("documentsBase64", None, Vec::new());
            }
            name => {
                texts += 1;
                if texts > MAX_TEXT_FIELDS {
                    return Err(Cause::Malformed.into());
                }
                parts.read_part(&mut form, name, part.charset).await?;
            }
        }
    }
    form.drain().await?;
    received.fields = parts.into_fields();
    Ok(received)
}

impl ReceivedForm {
    async fn file(
        &mut self,
        app: &App,
        max_bytes: u64,
        name: &str,
        form: &mut MultipartForm<'_>,
    ) -> Result<(), ApiError> {
        self.files_came |= !name.is_empty();
        let name = FileName::new(name);
        let begin = || app.start_upload(self.taken()).with_size_hint(form.remaining());
        let mut upload = accepts_more(app, &self.files).then(begin);
        while let Some(chunk) = form.chunk().await? {
            self.files_came |= !chunk.is_empty();
            let fits = self.count(chunk.len(), max_bytes)?;
            if let Some(upload) = &mut upload {
                upload.push(chunk).await?;
                if !fits {
                    upload.discard_together(max_bytes);
                }
            }
        }
        match upload {
            Some(upload) => self.files.push(upload.finish(name).await?),
            None => self.skipped_documents += 1,
        }
        Ok(())
    }

    async fn base64(
        &mut self,
        app: &App,
        max_bytes: u64,
        charset: Option<&'static Encoding>,
        form: &mut MultipartForm<'_>,
    ) -> Result<(), ApiError> {
        if std::mem::replace(&mut self.base64_seen, true) {
            self.base64_problem = Some(FieldError::Repeated);
        }
        let mut to_utf8 = ToUtf8::from(charset);
        // Base64 takes four bytes for three.
        let largest = form.remaining().map(|remaining| remaining / 4 * 3 + 3);
        let mut reader = Reader::new();
        let mut upload: Option<DocumentUpload> = None;
        let mut decoded = Vec::new();
        while let Some(chunk) = form.chunk().await? {
            self.base64_came |= !chunk.trim_ascii().is_empty();
            if self.base64_problem.is_some() || !self.base64_came {
                continue;
            }
            self.base64_problem = match to_utf8.next(&chunk) {
                Some(text) => reader.feed(&text, &mut decoded).err(),
                None => Some(FieldError::Characters),
            };
            for decoded in decoded.drain(..) {
                match decoded {
                    Decoded::Content(bytes) => {
                        let fits = self.count(bytes.len(), max_bytes)?;
                        if accepts_more(app, &self.base64) {
                            let begin = || app.start_upload(self.taken()).with_size_hint(largest);
                            let upload = upload.get_or_insert_with(begin);
                            upload.push(bytes.into()).await?;
                            if !fits {
                                upload.discard_together(max_bytes);
                            }
                        }
                    }
                    Decoded::Document(name) => {
                        if accepts_more(app, &self.base64) {
                            let upload = upload.take().unwrap_or_else(|| app.start_upload(self.taken()));
                            self.base64.push(upload.finish(FileName::new(&name)).await?);
                        } else {
                            self.skipped_documents += 1;
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

    fn taken(&self) -> impl Iterator<Item = &UploadedDocument> {
        self.files.iter().chain(&self.base64)
    }

    /// Counts bytes of documents. Returns whether all together are within the limit.
    fn count(&mut self, bytes: usize, max_bytes: u64) -> Result<bool, ApiError> {
        self.document_bytes += bytes as u64;
        if self.document_bytes > max_bytes.saturating_mul(MAX_READ_FACTOR) {
            Err(Cause::TooLarge.into())
        } else {
            Ok(self.document_bytes <= max_bytes)
        }
    }

    /// The fingerprint of the request; `None` when a document was not read whole.
    fn fingerprint(&self, request: &ApiRequest) -> Option<[u8; 32]> {
        let hashes: Option<Vec<_>> = self.taken().map(|document| document.sha256).collect();
        let mut more: Vec<&[u8]> = Vec::new();
        let hashes = hashes?;
        for (document, hash) in self.taken().zip(&hashes) {
            more.push(document.name.as_str().as_bytes());
            more.push(hash);
        }
        let (skipped_documents, problem) = (
            self.skipped_documents.to_be_bytes(),
            self.base64_problem.as_ref().map(problem_bytes),
        );
        more.push(&skipped_documents);
        more.extend(problem.as_deref());
        Some(self.fields.fingerprint(request.operation.name(), &more))
    }
}

/// Whether the field is a document: `documents[]` or `documents`, perhaps with an index, as PHP writes lists.
fn is_document(name: &str) -> bool {
    let Some(list) = name.strip_prefix("documents") else {
        return false;
    };
    let index = list.strip_prefix("[]").unwrap_or(list);
    let digits = index.strip_prefix('[').and_then(|index| index.strip_suffix(']'));
    index.is_empty()
        || digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Text that arrives in pieces, in UTF-8.
enum ToUtf8 {
    Same,
    Decoder(Box<Decoder>),
}

impl From<Option<&'static Encoding>> for ToUtf8 {
    fn from(charset: Option<&'static Encoding>) -> Self {
        match charset.filter(|charset| *charset != UTF_8) {
            None => Self::Same,
            Some(charset) => Self::Decoder(Box::new(charset.new_decoder_without_bom_handling())),
        }
    }
}

impl ToUtf8 {
    /// The next piece; `None` where the bytes are no text of that encoding.
    fn next<'c>(&mut self, chunk: &'c [u8]) -> Option<Cow<'c, [u8]>> {
        let Self::Decoder(decoder) = self else {
            return Some(Cow::Borrowed(chunk));
        };
        let mut text =
            String::with_capacity(decoder.max_utf8_buffer_length_without_replacement(chunk.len())?);
        let (result, _) = decoder.decode_to_string_without_replacement(chunk, &mut text, false);
        (result == DecoderResult::InputEmpty).then(|| Cow::Owned(text.into_bytes()))
    }
}

/// Whether one more document is stored. The first one too many is, so that the error can name it.
fn accepts_more(app: &App, taken: &[UploadedDocument]) -> bool {
    taken.len() <= app.policy.documents
}

fn read(received: ReceivedForm, notary: &Notary) -> Result<FolioRequest, ApiError> {
    let fields = &received.fields;
    let mut invalid = InvalidFields::default();
    let signers = invalid.check("signers", fields.json("signers"));
    let signers = signers.and_then(|json| new_signers("signers", json, limits::SIGNERS, &mut invalid));
    let own = signers
        .iter()
        .flatten()
        .map(|signer| notary.is_own_name(signer.name.as_str()));
    for (index, _) in own.enumerate().filter(|(_, own)| *own) {
        invalid.check::<()>(format!("signers[{index}].name"), Err(FieldError::ServiceName));
    }
    let signers =
        signers.and_then(|signers| invalid.check("signers", check_signers(&signers).map(|()| signers)));
    let name = invalid.check("folioName", fields.text("folioName").and_then(FolioName::new));
    let message = invalid.check(
        "folioMessage",
        fields.text("folioMessage").and_then(FolioMessage::new),
    );
    let signature_type = invalid.check("signatureType", one_of(fields, "signatureType", &["1", "2"]));
    let url = fields
        .text("urlReturn")
        .and_then(|text| ReturnUrl::new(text, limits::RETURN_URL));
    let url = invalid.check("urlReturn", url);
    let file_type = invalid.check("fileType", one_of(fields, "fileType", &["file", "base64"]));
    let send_email = invalid.check("sendEmail", one_of(fields, "sendEmail", &["true", "false"]));
    let language = match one_of(fields, "language", &Language::CODES) {
        // The company's language is the default.
        Err(FieldError::Missing) => Ok(None),
        given => given.map(|index| Some(Language::ALL[index])),
    };
    let language = invalid.check("language", language);
    let documents = file_type.and_then(|kind| documents(received, kind == 1, &mut invalid));
    let folio_request = (|| {
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
            language: language?,
        })
    })();
    invalid.into_result(folio_request).map_err(|error| match error {
        // A create names its first fault, whatever it is.
        ApiError::Fields(_, invalid) => ApiError::Fields(Cause::Malformed, invalid),
        other => other,
    })
}

/// The documents of the chosen kind. Documents of the other kind are an error.
fn documents(
    received: ReceivedForm,
    base64: bool,
    invalid: &mut InvalidFields,
) -> Option<Vec<UploadedDocument>> {
    let (own, documents, other, other_came) = if base64 {
        (
            "documentsBase64",
            received.base64,
            "documents[]",
            received.files_came,
        )
    } else {
        (
            "documents[]",
            received.files,
            "documentsBase64",
            received.base64_came,
        )
    };
    if other_came {
        invalid.check::<()>(other, Err(FieldError::Unexpected));
    }
    match received.base64_problem.filter(|_| base64) {
        Some(problem) => invalid.check(own, Err(problem)),
        None if documents.is_empty() => invalid.check(own, Err(FieldError::Missing)),
        None => Some(documents),
    }
}

/// The index of the field's value among the allowed ones.
fn one_of(fields: &Fields, name: &str, allowed: &'static [&'static str]) -> Result<usize, FieldError> {
    let text = fields.text(name)?;
    allowed
        .iter()
        .position(|word| *word == text)
        .ok_or(FieldError::NotOneOf { allowed })
}

#[cfg(test)]
mod tests {
    use super::is_document;

    #[test]
    fn documents_come_with_and_without_an_index() {
        for name in ["documents", "documents[]", "documents[0]", "documents[][17]"] {
            assert!(is_document(name), "{name}");
        }
        for name in [
            "documentsBase64",
            "documents[x]",
            "documents[",
            "document",
            "documents[0][1]",
            "documents[][]",
        ] {
            assert!(!is_document(name), "{name}");
        }
    }
}
