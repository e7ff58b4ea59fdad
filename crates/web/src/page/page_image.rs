//! A page of a document as an image or as text. A page that cannot be rendered faithfully says so in the
//! image.

use crate::Web;
use crate::http::accept::accepts_jpeg;
use crate::page::Lang;
use app::signing::pages::{Drawn, Picture, Requester, THUMBNAIL_WIDTH, WIDTHS};
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, VARY};
use domain::{Causes, Document};
use render::ImageFormat;

/// The response to a request for a page.
#[derive(Debug)]
pub(crate) struct PageResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
    /// The number of the page, if it can be read in this response: a notice that it cannot be drawn shows nothing of it.
    pub(crate) shown: Option<u32>,
}

/// Whether that width is of an image that is too small to be read.
pub(crate) fn is_thumbnail(width: Option<&str>) -> bool {
    width.and_then(|width| width.parse().ok()) == Some(THUMBNAIL_WIDTH)
}

/// The response to `{n}.png` at an allowed width, or to `{n}.txt`. `None` where the document has no such page. The image is
/// JPEG if the page has photographic content and the request accepts that.
pub(crate) async fn page_response(
    web: &Web,
    l: Lang,
    requester: Requester,
    document: &Document,
    file: &str,
    width: Option<&str>,
    asked: &HeaderMap,
) -> Option<PageResponse> {
    let (number, (status, kind, body, is_shown)) =
        page_content(web, l, requester, document, file, width, asked).await?;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(VARY, HeaderValue::from_static("Accept"));
    if matches!(
        status,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
    ) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    Some(PageResponse {
        status,
        headers,
        body,
        shown: (is_shown && !is_thumbnail(width)).then_some(number),
    })
}

/// Status, type and content, and whether the content shows the page.
type Content = (StatusCode, &'static str, Body, bool);

async fn page_content(
    web: &Web,
    l: Lang,
    requester: Requester,
    document: &Document,
    file: &str,
    width: Option<&str>,
    asked: &HeaderMap,
) -> Option<(u32, Content)> {
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
        return Some((number, image(l, document, drawn.await)));
    }
    let number = number(".txt")?;
    Some((number, text(web, l, requester, document, number).await))
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
fn image(l: Lang, document: &Document, drawn: Result<Drawn, app::Error>) -> Content {
    let notice = |status, words: &str| (status, SVG, text_image(words).into(), false);
    match drawn {
        Ok(Drawn::Faithful(picture)) => (
            StatusCode::OK,
            media_type(picture.format),
            picture.file.into(),
            true,
        ),
        Ok(Drawn::WithWarnings(picture)) => {
            (StatusCode::OK, SVG, image_with_warning(l, &picture).into(), true)
        }
        Ok(Drawn::Failed) => notice(StatusCode::OK, l.page_failed()),
        Err(app::Error::Overloaded) => notice(StatusCode::SERVICE_UNAVAILABLE, l.page_busy()),
        Err(app::Error::TooOften { .. }) => notice(StatusCode::TOO_MANY_REQUESTS, l.page_busy()),
        Err(app::Error::DocumentUnavailable) => notice(StatusCode::SERVICE_UNAVAILABLE, l.page_unavailable()),
        Err(error) => {
            tracing::error!(error = %Causes(&error), document = %document.id, "the image of a page cannot be made");
            notice(StatusCode::INTERNAL_SERVER_ERROR, l.page_failed())
        }
    }
}

/// A page's text, after a note where it is incomplete.
async fn text(web: &Web, l: Lang, requester: Requester, document: &Document, number: u32) -> Content {
    let notice = |status, words: &'static str| (status, TEXT, words.into(), false);
    match web.app.page_text(requester, document, number).await {
        Ok(read) => {
            let first = match (read.text.trim().is_empty(), read.complete) {
                (true, _) => l.text_none(),
                (false, true) => "",
                (false, false) => l.text_partial(),
            };
            let text = format!("{first}\n\n{}", read.text);
            let is_shown = !read.text.trim().is_empty();
            (StatusCode::OK, TEXT, text.trim().to_owned().into(), is_shown)
        }
        Err(app::Error::Overloaded) => notice(StatusCode::SERVICE_UNAVAILABLE, l.page_busy()),
        Err(app::Error::TooOften { .. }) => notice(StatusCode::TOO_MANY_REQUESTS, l.page_busy()),
        Err(app::Error::DocumentUnavailable) => notice(StatusCode::SERVICE_UNAVAILABLE, l.page_unavailable()),
        Err(error) => {
            tracing::error!(error = %Causes(&error), document = %document.id, "the text of a page cannot be made");
            notice(StatusCode::INTERNAL_SERVER_ERROR, l.page_failed())
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
