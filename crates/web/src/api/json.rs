//! JSON of requests, in which no object has two members of one name: readers differ in which of them they take.

use domain::FieldError;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The value that a text spells.
pub(crate) fn read(text: &[u8]) -> Result<Value, FieldError> {
    // Some clients begin every text with a byte order mark.
    match serde_json::from_slice(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)) {
        Ok(Unambiguous(value)) => Ok(value),
        // Every value is welcome: only a member that comes again is wrong with a text that is JSON.
        Err(error) if error.is_data() => Err(FieldError::RepeatedMember),
        Err(_) => Err(FieldError::NotJson),
    }
}

/// A value without repeated members, however deep.
struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any).map(Self)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unambiguous(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Unambiguous(value))) = members.next_entry::<String, Unambiguous>()? {
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("a member comes again"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_what_they_spell() {
        for value in [
            json!(null),
            json!(true),
            json!(-7),
            json!(u64::MAX),
            json!(1.5),
            json!("Ñ\n\"😀\""),
            json!([]),
            json!({ "b": [1, { "a": {} }], "a": { "b": null, "": 1 } }),
        ] {
            assert_eq!(read(value.to_string().as_bytes()), Ok(value));
        }
    }

    #[test]
    fn a_member_that_comes_again_is_refused_wherever_it_is() {
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":1,"b":2,"a":3}"#,
            r#"[{},{"a":1,"\u0061":2}]"#,
            r#"{"a":[{"b":{"c":1,"c":2}}]}"#,
        ] {
            assert_eq!(read(text.as_bytes()), Err(FieldError::RepeatedMember), "{text}");
        }
        assert!(read(br#"[{"a":1},{"a":{"a":2}}]"#).is_ok());
    }

    #[test]
    fn what_is_not_json_is_an_error_of_its_own() {
        let deep = "[".repeat(5000) + &"]".repeat(5000);
        for text in [
            "",
            "{",
            "[1,]",
            "{1:2}",
            "[] x",
            "tru",
            "\"\u{1}\"",
            "1e999",
            &deep,
        ] {
            assert_eq!(read(text.as_bytes()), Err(FieldError::NotJson), "{text}");
        }
        assert_eq!(read(b"\"\xff\""), Err(FieldError::NotJson));
    }
}
