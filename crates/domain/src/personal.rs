//! Personal values are stored beside an event; the event's text has a salted digest in place of each.
//!
//! So a copy of a history can withhold a value, or an erasure remove it, and the chain of hashes still holds. A digest is
//! the SHA-256 of the 16 bytes of its salt and of the value's UTF-8: without the salt it reveals nothing about the value.

use crate::ids::Random;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The members of an event's text with personal data, at any depth: a text under one of these names is
/// replaced by its digest. A new event whose personal members have these names needs nothing else.
const PERSONAL: [&str; 13] = [
    "name",
    "document_number",
    "email",
    "mobile",
    "recipient",
    "address",
    "device",
    "language",
    "reply",
    "reason",
    "observation",
    "return_url",
    "picture_text",
];

/// The only member of the object that replaces a value.
const DIGEST: &str = "digest";

/// A value beside an event: present, withheld from this copy, or erased.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalValue {
    /// The place of its digest in the event's text, a JSON pointer.
    pub at: String,
    /// The 16 bytes of its salt, hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What is shown of a value that is withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masked: Option<String>,
    /// Whether the value was erased.
    #[serde(default, skip_serializing_if = "is_false")]
    pub erased: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl PersonalValue {
    /// The same without the value and its salt: what may be shown instead, if anything.
    #[must_use]
    pub fn withheld(self, masked: Option<String>) -> Self {
        Self {
            at: self.at,
            masked,
            erased: self.erased,
            ..Self::default()
        }
    }

    /// The same without the value, its salt and its mask, for good.
    #[must_use]
    pub fn erase(self) -> Self {
        Self {
            at: self.at,
            erased: true,
            ..Self::default()
        }
    }

    /// Whether the value is not here, though it was not erased.
    pub const fn is_withheld(&self) -> bool {
        self.value.is_none() && !self.erased
    }

    /// What a reader of this copy sees in the place of the digest.
    pub fn shown(&self) -> Option<&str> {
        self.value.as_deref().or(self.masked.as_deref())
    }

    /// The member's own name.
    pub fn field(&self) -> &str {
        self.at.rsplit('/').next().unwrap_or_default()
    }

    /// Whether the value, if it is here, is the one that was digested.
    fn fits(&self, digest: &str) -> bool {
        match (&self.salt, &self.value) {
            (Some(salt), Some(value)) => {
                let salt = unhex(salt).filter(|_| self.masked.is_none() && !self.erased);
                salt.is_some_and(|salt| HEXLOWER.encode(&digest_of(&salt, value)) == digest)
            }
            (None, None) => !(self.erased && self.masked.is_some()),
            _ => false,
        }
    }
}

/// What is wrong with the values beside an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueFault {
    /// The value at this place is not the one that was digested.
    Changed(String),
    /// There is no digest at this place, or it has two values.
    Stray(String),
    /// The value whose digest is at this place is missing.
    Missing(String),
}

/// SHA-256 over the salt and the value.
fn digest_of(salt: &[u8; 16], value: &str) -> [u8; 32] {
    let hash = Sha256::new().chain_update(salt).chain_update(value.as_bytes());
    hash.finalize().into()
}

fn unhex(text: &str) -> Option<[u8; 16]> {
    let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(text.as_bytes());
    bytes.ok()?.try_into().ok()
}

/// Takes the personal values out of an event's text, and leaves their digests.
pub(crate) fn extract(body: &mut Value, random: &mut dyn Random) -> Vec<PersonalValue> {
    let mut values = Vec::new();
    walk(body, &mut String::new(), &mut |name, at, text| {
        if !PERSONAL.contains(&name) {
            return None;
        }
        let mut salt = [0; 16];
        random.fill(&mut salt);
        let digest = HEXLOWER.encode(&digest_of(&salt, text));
        values.push(PersonalValue {
            at: at.to_owned(),
            salt: Some(HEXLOWER.encode(&salt)),
            value: Some(text.to_owned()),
            ..PersonalValue::default()
        });
        Some(Value::Object(Map::from_iter([(
            DIGEST.to_owned(),
            digest.into(),
        )])))
    });
    values
}

/// Goes through the texts of a value, each with its member's name and its place, and replaces those for which there is
/// something else.
fn walk(value: &mut Value, at: &mut String, replace: &mut dyn FnMut(&str, &str, &str) -> Option<Value>) {
    let length = at.len();
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                at.push('/');
                at.push_str(name);
                match member {
                    Value::String(text) => {
                        if let Some(other) = replace(name, at, text) {
                            *member = other;
                        }
                    }
                    _ => walk(member, at, replace),
                }
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter_mut().enumerate() {
                at.push('/');
                at.push_str(&place.to_string());
                walk(item, at, replace);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// The digest that replaces a value.
fn digest_in(value: &Value) -> Option<&str> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    members.get(DIGEST)?.as_str()
}

/// The places of all digests in an event's text.
fn digests<'b>(value: &'b Value, at: &str, found: &mut Vec<(String, &'b str)>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let at = format!("{at}/{name}");
                match digest_in(member) {
                    Some(digest) => found.push((at, digest)),
                    None => digests(member, &at, found),
                }
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                digests(item, &format!("{at}/{place}"), found);
            }
        }
        _ => {}
    }
}

/// Holds the values beside an event against the digests in its text.
pub fn check(body: &Value, values: &[PersonalValue]) -> Vec<ValueFault> {
    let mut expected = Vec::new();
    digests(body, "", &mut expected);
    let mut faults = Vec::new();
    for value in values {
        let Some(found) = expected.iter().position(|(at, _)| *at == value.at) else {
            faults.push(ValueFault::Stray(value.at.clone()));
            continue;
        };
        let (at, digest) = expected.swap_remove(found);
        if !value.fits(digest) {
            faults.push(ValueFault::Changed(at));
        }
    }
    faults.extend(expected.into_iter().map(|(at, _)| ValueFault::Missing(at)));
    faults
}

/// An event's text with each personal value, or its mask, in its place; `null` where the copy has neither.
pub fn restored(mut body: Value, values: &[PersonalValue]) -> Value {
    for value in values {
        if let Some(place) = body.pointer_mut(&value.at)
            && digest_in(place).is_some()
        {
            *place = value.shown().map_or(Value::Null, Into::into);
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Fills with the number of the call: every salt differs, and the first is all ones.
    struct CallNumber(u8);

    impl Random for CallNumber {
        fn fill(&mut self, bytes: &mut [u8]) {
            self.0 += 1;
            bytes.fill(self.0);
        }
    }

    fn event() -> (Value, Value, Vec<PersonalValue>) {
        let whole = json!({
            "what": "created", "address": "192.0.2.1",
            "signers": [{"name": "María", "document_type": "CC", "email": "maria@example.com"}],
            "before": {"email": "maria@example.com"}, "observation": null,
        });
        let mut body = whole.clone();
        let values = extract(&mut body, &mut CallNumber(0));
        (whole, body, values)
    }

    #[test]
    fn a_digest_takes_the_place_of_every_personal_value_and_of_nothing_else() {
        let (whole, body, values) = event();
        let places: Vec<&str> = values.iter().map(|value| value.at.as_str()).collect();
        assert_eq!(
            places,
            ["/address", "/signers/0/name", "/signers/0/email", "/before/email"]
        );
        for secret in ["192.0.2.1", "María", "maria@example.com"] {
            assert!(!body.to_string().contains(secret), "{body}");
        }
        assert_eq!(body["observation"], Value::Null);
        assert_eq!(body["signers"][0]["document_type"], "CC");
        assert_ne!(
            body["signers"][0]["email"], body["before"]["email"],
            "a salt for each"
        );
        // printf '01…01' | xxd -r -p, then the value: what a SHA-256 tool makes of it.
        let by_hand = Sha256::digest([[1_u8; 16].as_slice(), b"192.0.2.1"].concat());
        assert_eq!(body["address"], json!({ "digest": HEXLOWER.encode(&by_hand) }));
        assert_eq!(check(&body, &values), []);
        assert_eq!(restored(body, &values), whole);
    }

    #[test]
    fn withheld_and_erased_values_leave_the_text_as_it_is() {
        let (_, body, mut values) = event();
        values[2] = values[2].clone().withheld(Some("m•••a@e•••.com".to_owned()));
        values[3] = PersonalValue {
            at: values[3].at.clone(),
            erased: true,
            ..PersonalValue::default()
        };
        assert_eq!(check(&body, &values), []);
        assert!(values[2].is_withheld() && !values[3].is_withheld());
        let seen = restored(body, &values);
        assert_eq!(seen["signers"][0]["email"], "m•••a@e•••.com");
        assert_eq!(seen["before"]["email"], Value::Null);
    }

    #[test]
    fn other_values_are_found() {
        let (_, body, values) = event();
        let changed = |change: &dyn Fn(&mut Vec<PersonalValue>)| {
            let mut values = values.clone();
            change(&mut values);
            check(&body, &values)
        };
        let at = values[1].at.clone();
        let other = || vec![ValueFault::Changed(at.clone())];
        assert_eq!(changed(&|all| all[1].value = Some("Marta".into())), other());
        assert_eq!(changed(&|all| all[1].salt = Some("00".repeat(16))), other());
        assert_eq!(changed(&|all| all[1].salt = Some("zz".into())), other());
        assert_eq!(changed(&|all| all[1].salt = None), other());
        assert_eq!(changed(&|all| all[1].value = None), other());
        assert_eq!(changed(&|all| all[1].masked = Some("M".into())), other());
        assert_eq!(
            changed(&|all| drop(all.remove(1))),
            [ValueFault::Missing(at.clone())]
        );
        assert_eq!(
            changed(&|all| all.push(all[1].clone())),
            [ValueFault::Stray(at.clone())]
        );
        let nowhere = || "/signers/1/name".to_owned();
        assert_eq!(
            changed(&|all| all[1].at = nowhere()),
            [ValueFault::Stray(nowhere()), ValueFault::Missing(at.clone())]
        );
    }

    #[test]
    fn a_withheld_value_keeps_its_place_and_says_whether_it_was_erased() {
        let whole = PersonalValue {
            at: "/signers/0/email".into(),
            salt: Some("00".repeat(16)),
            value: Some("a@example.com".into()),
            ..PersonalValue::default()
        };
        assert_eq!(whole.field(), "email");
        assert!(!whole.is_withheld());
        let text = serde_json::to_string(&whole).unwrap();
        assert!(!text.contains("erased"), "{text}");
        let withheld = whole.withheld(Some("a…@example.com".into()));
        assert!(withheld.is_withheld());
        assert_eq!(
            (withheld.shown(), withheld.salt.as_ref()),
            (Some("a…@example.com"), None)
        );
        let erased = PersonalValue {
            at: "/reason".into(),
            erased: true,
            ..PersonalValue::default()
        };
        let text = serde_json::to_string(&erased).unwrap();
        assert_eq!(text, r#"{"at":"/reason","erased":true}"#);
        assert!(erased.withheld(None).erased);
    }
}
