//! What a request to a gateway looks like: our own JSON, Twilio's form, or a template for any other.
//!
//! A template's first character says what it is: `{` or `[` a JSON body, `<` an XML body, `?` the query of a GET,
//! anything else a form. Whatever is filled in is escaped for its place.

use super::Sms;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{Method, Request};
use http_body_util::Full;
use std::str::FromStr;
use url::Url;
use url::form_urlencoded::byte_serialize;

/// How a gateway wants to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// `{"to", "text", "id"}`, and `from` where there is one.
    Json,
    /// A form with `To`, `From` and `Body`.
    Twilio,
    /// A text with `{to}`, `{digits}`, `{from}`, `{text}` and `{id}` in it.
    Template(String),
}

/// A gateway that cannot be asked as the settings say.
#[derive(Debug, thiserror::Error)]
pub enum BadFormat {
    /// The template is of no use.
    #[error("must be json, twilio, or a template with {{to}} (or {{digits}}) and {{text}} in it")]
    Template,
    /// The format needs a sender.
    #[error("this format needs FIRMEZA_SMS_FROM")]
    From,
    /// The header has characters that headers cannot have.
    #[error("FIRMEZA_SMS_AUTHORIZATION is not the value of a header")]
    Authorization,
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(#[source] rustls::Error),
}

impl FromStr for Format {
    type Err = BadFormat;

    fn from_str(text: &str) -> Result<Self, BadFormat> {
        match text {
            "json" => Ok(Self::Json),
            "twilio" => Ok(Self::Twilio),
            template => {
                let has = |name| template.contains(name);
                if (has("{to}") || has("{digits}")) && has("{text}") {
                    Ok(Self::Template(template.to_owned()))
                } else {
                    Err(BadFormat::Template)
                }
            }
        }
    }
}

impl Format {
    pub(super) fn check(&self, has_from: bool) -> Result<(), BadFormat> {
        let wants = match self {
            Self::Json => false,
            Self::Twilio => true,
            Self::Template(template) => template.contains("{from}"),
        };
        if wants && !has_from {
            Err(BadFormat::From)
        } else {
            Ok(())
        }
    }

    pub(super) fn request(
        &self,
        url: &Url,
        from: &str,
        sms: Sms<'_>,
    ) -> Result<Request<Full<Bytes>>, http::Error> {
        let (method, url, kind, body) = match self {
            Self::Json => {
                let mut body = serde_json::json!({ "to": sms.to, "text": sms.text, "id": sms.id });
                if !from.is_empty() {
                    body["from"] = from.into();
                }
                (Method::POST, url.clone(), "application/json", body.to_string())
            }
            Self::Twilio => {
                let sender = if from.starts_with("MG") {
                    "MessagingServiceSid"
                } else {
                    "From"
                };
                let template = format!("To={{to}}&{sender}={{from}}&Body={{text}}");
                let body = fill(&template, from, sms, form);
                (
                    Method::POST,
                    url.clone(),
                    "application/x-www-form-urlencoded",
                    body,
                )
            }
            Self::Template(template) => match template.as_bytes().first() {
                Some(b'{' | b'[') if !template.starts_with("{to}") && !template.starts_with("{digits}") => (
                    Method::POST,
                    url.clone(),
                    "application/json",
                    fill(template, from, sms, json),
                ),
                Some(b'<') => (
                    Method::POST,
                    url.clone(),
                    "text/xml; charset=utf-8",
                    fill(template, from, sms, xml),
                ),
                Some(b'?') => {
                    let mut url = url.clone();
                    url.set_query(Some(&fill(&template[1..], from, sms, form)));
                    (Method::GET, url, "", String::new())
                }
                _ => {
                    let body = fill(template, from, sms, form);
                    (
                        Method::POST,
                        url.clone(),
                        "application/x-www-form-urlencoded",
                        body,
                    )
                }
            },
        };
        let mut request = Request::builder()
            .method(method)
            .uri(url.as_str())
            .header(USER_AGENT, concat!("Firmeza/", env!("CARGO_PKG_VERSION")));
        if !kind.is_empty() {
            request = request.header(CONTENT_TYPE, kind);
        }
        request.body(Full::new(Bytes::from(body)))
    }
}

/// The template with its names replaced, each once and never inside what was filled in.
fn fill(template: &str, from: &str, sms: Sms<'_>, escape: fn(&str) -> String) -> String {
    let names = [
        ("{to}", sms.to),
        ("{digits}", sms.to.trim_start_matches('+')),
        ("{from}", from),
        ("{text}", sms.text),
        ("{id}", sms.id),
    ];
    let mut filled = String::with_capacity(template.len() + sms.text.len() * 2);
    let mut rest = template;
    while let Some(place) = rest.find('{') {
        filled.push_str(&rest[..place]);
        rest = &rest[place..];
        if let Some((name, value)) = names.iter().find(|(name, _)| rest.starts_with(name)) {
            filled.push_str(&escape(value));
            rest = &rest[name.len()..];
        } else {
            filled.push('{');
            rest = &rest[1..];
        }
    }
    filled.push_str(rest);
    filled
}

fn form(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect()
}

/// The inside of a JSON string.
fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&apos;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    const SMS: Sms<'_> = Sms {
        to: "+573001234567",
        text: "123456 es \"su\" clave & <ñ> {to}",
        id: "7.ab@x",
    };

    async fn asked(format: &str, from: &str) -> (String, String) {
        let url = Url::parse("https://sms.example.com/send").unwrap();
        let request = format
            .parse::<Format>()
            .unwrap()
            .request(&url, from, SMS)
            .unwrap();
        let (head, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        (
            format!("{} {}", head.method, head.uri),
            String::from_utf8(body.to_vec()).unwrap(),
        )
    }

    #[tokio::test]
    async fn every_shape_escapes_what_it_carries() {
        let (line, body) = asked("json", "").await;
        assert_eq!(line, "POST https://sms.example.com/send");
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            body,
            serde_json::json!({ "to": SMS.to, "text": SMS.text, "id": SMS.id })
        );

        let (_, body) = asked("twilio", "+12025550100").await;
        let pairs: Vec<_> = url::form_urlencoded::parse(body.as_bytes())
            .into_owned()
            .collect();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            pairs,
            [
                pair("To", SMS.to),
                pair("From", "+12025550100"),
                pair("Body", SMS.text)
            ]
        );

        let (_, body) = asked(r#"{"messages":[{"to":"{digits}","body":"{text}"}]}"#, "").await;
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["messages"][0]["body"], SMS.text);
        assert_eq!(body["messages"][0]["to"], "573001234567");

        let (_, body) = asked("<sms to='{to}'>{text}</sms>", "").await;
        assert!(body.contains("&lt;ñ&gt; {to}</sms>"), "{body}");

        let (line, body) = asked("?to={to}&text={text}&dlr={id}", "").await;
        assert!(
            line.starts_with("GET https://sms.example.com/send?to=%2B573001234567&text=123456+es"),
            "{line}"
        );
        assert!(body.is_empty());

        let (_, body) = asked("to={to}&text={text}&u=x", "").await;
        assert!(
            body.starts_with("to=%2B573001234567&") && body.ends_with("&u=x"),
            "{body}"
        );
    }

    #[test]
    fn a_template_must_say_whom_and_what() {
        for bad in ["xml", "", "{to}", "{text}"] {
            assert!(bad.parse::<Format>().is_err(), "{bad}");
        }
        assert!(Format::Twilio.check(false).is_err());
        assert!(
            "from={from}&to={to}&text={text}"
                .parse::<Format>()
                .unwrap()
                .check(false)
                .is_err()
        );
    }
}
