//! A page of a document as an image or as text. A page that cannot be rendered faithfully says so in the
//! image.

use crate::Web;
use crate::http::accept::accepts_jpeg;
use crate::page::Lang;
use app::signing::pages::{Drawn, Picture, Requester, WIDTHS};
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, VARY};
use domain::{Causes, Document};
use render::ImageFormat;

/// The response to `{n}.png` at an allowed width, or to `{n}.txt`: status, headers and content. `None` where the
/// document has no such page. The image is JPEG if the page has photographic content and the request accepts that.
pub(crate) async fn page_response(
    web: &Web,
    l: Lang,
    requester: Requester,
    document: &Document,
    file: &str,
    width: Option<&str>,
    asked: &HeaderMap,
) -> Option<(StatusCode, HeaderMap, Body)> {
    let (status, kind, body) = page_content(web, l, requester, document, file, width, asked).await?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(VARY, HeaderValue::from_static("Accept"));
    if matches!(
        status,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
    ) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    Some((status, headers, body))
}

async fn page_content(
    web: &Web,
    l: Lang,
    requester: Requester,
    document: &Document,
    file: &str,
    width: Option<&str>,
    asked: &HeaderMap,
) -> Option<(StatusCode, &'static str, Body)> {
    // A page count of 0 means that the pages were not counted: the limit of an upload bounds them.
    let last = match document.pages {
        0 => u32::try_from(web.app.policy.pdf.pages).unwrap_or(u32::MAX),
        counted => counted,
    };
    let number = |extension| {
        let number: u32 = file.strip_suffix(extension)?.parse().ok()?;
        (1..=last).contains(&number).then_some(number)
    };
    if let Some(number) = number(".png") {
        let width = width.and_then(|width| width.parse().ok());
        let width = width.filter(|width| WIDTHS.contains(width))?;
        let photographs = if accepts_jpeg(asked) {
            ImageFormat::Jpeg
        } else {
            ImageFormat::Png
        };
        let drawn = web
            .app
            .page_image(requester, document, number, width, photographs);
        return Some(image(l, document, drawn.await));
    }
    Some(text(web, l, requester, document, number(".txt")?).await)
}

const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

const fn media_type(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Jpeg => "image/jpeg",
        _ => "image/png",
    }
}

/// A page as an image. If the page cannot be drawn faithfully, the image itself says so.
fn image(l: Lang, document: &Document, drawn: Result<Drawn, app::Error>) -> (StatusCode, &'static str, Body) {
    match drawn {
        Ok(Drawn::Faithful(picture)) => (StatusCode::OK, media_type(picture.format), picture.file.into()),
        Ok(Drawn::WithWarnings(picture)) => (StatusCode::OK, SVG, image_with_warning(l, &picture).into()),
        Ok(Drawn::Failed) => (StatusCode::OK, SVG, text_image(l.page_failed()).into()),
        Err(app::Error::Overloaded) => (
            StatusCode::SERVICE_UNAVAILABLE,
            SVG,
            text_image(l.page_busy()).into(),
        ),
        Err(app::Error::TooOften { .. }) => (
            StatusCode::TOO_MANY_REQUESTS,
            SVG,
            text_image(l.page_busy()).into(),
        ),
        Err(app::Error::DocumentUnavailable) => (
            StatusCode::SERVICE_UNAVAILABLE,
            SVG,
            text_image(l.page_unavailable()).into(),
        ),
        Err(error) => {
            tracing::error!(error = %Causes(&error), document = %document.id, "the image of a page cannot be made");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                SVG,
                text_image(l.page_failed()).into(),
            )
        }
    }
}

/// A page's text, after a note where it is incomplete.
async fn text(
    web: &Web,
    l: Lang,
    requester: Requester,
    document: &Document,
    number: u32,
) -> (StatusCode, &'static str, Body) {
    match web.app.page_text(requester, document, number).await {
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
        Err(app::Error::TooOften { .. }) => (StatusCode::TOO_MANY_REQUESTS, TEXT, l.page_busy().into()),
        Err(app::Error::DocumentUnavailable) => {
            (StatusCode::SERVICE_UNAVAILABLE, TEXT, l.page_unavailable().into())
        }
        Err(error) => {
            tracing::error!(error = %Causes(&error), document = %document.id, "the text of a page cannot be made");
            (StatusCode::INTERNAL_SERVER_ERROR, TEXT, l.page_failed().into())
        }
    }
}

/// The image under a band with a warning.
fn image_with_warning(l: Lang, picture: &Picture) -> String {
    let (width, band) = (picture.width, picture.width / 8);
    let height = picture.height + band;
    let kind = media_type(picture.format);
    let file = data_encoding::BASE64.encode(&picture.file);
    let lines = lines(l.page_doubtful(), 48, width / 2, band * 2 / 5, width / 30);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <rect width=\"{width}\" height=\"{band}\" fill=\"#7a4a00\"/><g fill=\"#fff\">{lines}</g>\
         <image y=\"{band}\" width=\"{width}\" height=\"{}\" href=\"data:{kind};base64,{file}\"/></svg>",
        picture.height
    )
}

/// An image with a text instead of the page.
fn text_image(words: &str) -> String {
    let lines = lines(words, 30, 306, 300, 26);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"612\" height=\"792\" viewBox=\"0 0 612 792\">\
         <rect width=\"612\" height=\"792\" fill=\"#fbf6ec\"/><g fill=\"#3b2a06\">{lines}</g></svg>"
    )
}

/// A text of ours, wrapped and centred.
fn lines(words: &str, max_chars: usize, middle: u32, top: u32, size: u32) -> String {
    let mut broken: Vec<String> = vec![String::new()];
    for word in words.split(' ') {
        match broken.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < max_chars => {
                line.push(' ');
                line.push_str(word);
            }
            _ => broken.push(word.to_owned()),
        }
    }
    let line = |(index, line): (u32, String)| {
        let y = top + index * size * 3 / 2;
        format!(
            "<text x=\"{middle}\" y=\"{y}\" font-family=\"system-ui,sans-serif\" font-size=\"{size}\" \
             text-anchor=\"middle\">{}</text>",
            line.trim()
        )
    };
    let drawn: Vec<String> = (0..).zip(broken).map(line).collect();
    drawn.concat()
}
