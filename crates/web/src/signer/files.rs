//! What a page asks for about its documents: the file itself, images and texts of pages, more of them.

use super::document::{DocumentPage, Fragment};
use super::notice::News;
use super::pages::{LOT, one};
use super::seat::Seat;
use super::visit::Visit;
use crate::Web;
use crate::api::entity::attachment;
use crate::page::{Lang, headers};
use app::show_page::{Drawn, Picture, WIDTHS};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{Document, DocumentId};

/// A document that is before this signer, and the signer's place in its folio.
fn find<'s>(seat: &'s Seat, id: &str) -> Option<(&'s Document, usize)> {
    let id: DocumentId = id.parse().ok()?;
    let mut folios = seat.signing.folios.iter().filter(|own| !own.folio.dropped);
    folios.find_map(|own| {
        let document = own.folio.documents.iter().find(|document| document.id == id)?;
        Some((document, own.place))
    })
}

fn missing(visit: &Visit) -> Response {
    visit.news(StatusCode::NOT_FOUND, News::NotFound)
}

/// `GET /sign/{holder}/documents/{document}`: the file, with the signatures it has.
pub(crate) async fn file(
    State(web): State<Web>,
    Path((holder, document)): Path<(String, String)>,
    request: Request<Body>,
) -> Response {
    let (visit, _) = Visit::new(web, request);
    let seat = match Seat::by_session(&visit, &holder).await {
        Ok(seat) => seat,
        Err(answer) => return answer,
    };
    let Some((document, place)) = find(&seat, &document) else {
        return missing(&visit);
    };
    let app = &visit.web.app;
    let company = seat.signing.company.id;
    let found = app.find_signers_document(company, document.id, place, Some(visit.address));
    let found = match found.await {
        Ok(found) => found,
        Err(error) => return visit.trouble(error),
    };
    let mut headers = headers(&seat.embedding());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(found.file.size));
    headers.insert(CONTENT_DISPOSITION, attachment(found.file.name.as_str()));
    if visit.parts.method == Method::HEAD {
        return seat.keep(&visit, headers.into_response());
    }
    match app.download(&found, 0..found.file.size).await {
        Ok(reader) => seat.keep(&visit, (headers, Body::from_stream(reader)).into_response()),
        Err(error) => visit.trouble(error),
    }
}

/// `GET …/view?from=n`: pages of one document, by themselves or to be put into a page.
pub(crate) async fn view(
    State(web): State<Web>,
    Path((holder, document)): Path<(String, String)>,
    request: Request<Body>,
) -> Response {
    let (visit, _) = Visit::new(web, request);
    let seat = match Seat::by_session(&visit, &holder).await {
        Ok(seat) => seat,
        Err(answer) => return answer,
    };
    let Some((document, _)) = find(&seat, &document) else {
        return missing(&visit);
    };
    let from = visit
        .query("from")
        .and_then(|from| from.parse().ok())
        .unwrap_or(1);
    let f = visit.frame(Some(&seat.signing.company.name));
    let desk = seat.desk();
    let document = one(&visit, &desk.path, document, from.max(1), LOT).await;
    if visit.parts.headers.contains_key("x-part") {
        return seat.answer(&visit, StatusCode::OK, &Fragment { f, document });
    }
    seat.answer(&visit, StatusCode::OK, &DocumentPage { f, desk, document })
}

/// `GET …/pages/{n}.png?w=720` and `…/pages/{n}.txt`, counted from one.
pub(crate) async fn page(
    State(web): State<Web>,
    Path((holder, document, file)): Path<(String, String, String)>,
    request: Request<Body>,
) -> Response {
    let (visit, _) = Visit::new(web, request);
    let seat = match Seat::by_session(&visit, &holder).await {
        Ok(seat) => seat,
        Err(answer) => return answer,
    };
    let number = |extension| {
        let number: u32 = file.strip_suffix(extension)?.parse().ok()?;
        (number > 0).then_some(number)
    };
    let Some((document, _)) = find(&seat, &document) else {
        return missing(&visit);
    };
    let answer = if let Some(number) = number(".png") {
        let width = visit.query("w").and_then(|width| width.parse().ok());
        match width.filter(|width| WIDTHS.contains(width)) {
            Some(width) => image(&visit, document, number, width).await,
            None => return missing(&visit),
        }
    } else if let Some(number) = number(".txt") {
        text(&visit, document, number).await
    } else {
        return missing(&visit);
    };
    let (status, kind, body) = answer;
    let mut headers = headers(&seat.embedding());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    seat.keep(&visit, (status, headers, body).into_response())
}

const PNG: &str = "image/png";
const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

/// A page as an image. One that cannot be shown as it is says so, in the image itself.
async fn image(
    visit: &Visit,
    document: &Document,
    number: u32,
    width: u32,
) -> (StatusCode, &'static str, Body) {
    let l = visit.l;
    match visit.web.app.page_image(document, number, width).await {
        Ok(Drawn::Faithful(picture)) => (StatusCode::OK, PNG, picture.png.into()),
        Ok(Drawn::Doubtful(picture)) => (StatusCode::OK, SVG, doubtful(l, &picture).into()),
        Ok(Drawn::Failed) => (StatusCode::OK, SVG, sheet(l.page_failed()).into()),
        Err(app::Error::Overloaded) => (StatusCode::SERVICE_UNAVAILABLE, SVG, sheet(l.page_busy()).into()),
        Err(error) => {
            tracing::error!(%error, document = %document.id, "a page cannot be shown");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                SVG,
                sheet(l.page_failed()).into(),
            )
        }
    }
}

/// A page's text, and what is to be known of it first.
async fn text(visit: &Visit, document: &Document, number: u32) -> (StatusCode, &'static str, Body) {
    let l = visit.l;
    match visit.web.app.page_text(document, number).await {
        Ok(read) => {
            let first = match (read.text.trim().is_empty(), read.complete) {
                (true, _) => l.text_none(),
                (false, true) => "",
                (false, false) => l.text_partial(),
            };
            let text = format!("{first}\n\n{}", read.text);
            (StatusCode::OK, TEXT, text.trim().to_owned().into())
        }
        Err(app::Error::Overloaded) => (StatusCode::SERVICE_UNAVAILABLE, TEXT, l.page_busy().into()),
        Err(error) => {
            tracing::error!(%error, document = %document.id, "a page cannot be read");
            (StatusCode::INTERNAL_SERVER_ERROR, TEXT, l.page_failed().into())
        }
    }
}

/// The picture under a band that says what to think of it.
fn doubtful(l: Lang, picture: &Picture) -> String {
    let (width, band) = (picture.width, picture.width / 8);
    let height = picture.height + band;
    let png = base64_simd::STANDARD.encode_to_string(&picture.png);
    let lines = lines(l.page_doubtful(), 48, width / 2, band * 2 / 5, width / 30);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <rect width=\"{width}\" height=\"{band}\" fill=\"#7a4a00\"/><g fill=\"#fff\">{lines}</g>\
         <image y=\"{band}\" width=\"{width}\" height=\"{}\" href=\"data:image/png;base64,{png}\"/></svg>",
        picture.height
    )
}

/// A sheet with words instead of a page.
fn sheet(words: &str) -> String {
    let lines = lines(words, 30, 306, 300, 26);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"612\" height=\"792\" viewBox=\"0 0 612 792\">\
         <rect width=\"612\" height=\"792\" fill=\"#fbf6ec\"/><g fill=\"#3b2a06\">{lines}</g></svg>"
    )
}

/// Words of ours, broken into lines around a middle.
fn lines(words: &str, longest: usize, middle: u32, top: u32, size: u32) -> String {
    let mut broken: Vec<String> = vec![String::new()];
    for word in words.split(' ') {
        match broken.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < longest => {
                line.push(' ');
                line.push_str(word);
            }
            _ => broken.push(word.to_owned()),
        }
    }
    let line = |(place, line): (u32, String)| {
        let y = top + place * size * 3 / 2;
        format!(
            "<text x=\"{middle}\" y=\"{y}\" font-family=\"system-ui,sans-serif\" font-size=\"{size}\" \
             text-anchor=\"middle\">{}</text>",
            line.trim()
        )
    };
    let drawn: Vec<String> = (0..).zip(broken).map(line).collect();
    drawn.concat()
}
