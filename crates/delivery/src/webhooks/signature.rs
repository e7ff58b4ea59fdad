//! The Standard Webhooks signature: HMAC-SHA-256 over the message's name, the time and the text.

use aws_lc_rs::hmac;
use data_encoding::BASE64;

/// The value of `webhook-signature`: one signature for each secret.
pub fn sign(secrets: &[Vec<u8>], id: &str, seconds: i64, body: &str) -> String {
    let text = format!("{id}.{seconds}.{body}");
    let signatures: Vec<String> = secrets
        .iter()
        .map(|secret| {
            let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
            format!("v1,{}", BASE64.encode(hmac::sign(&key, text.as_bytes()).as_ref()))
        })
        .collect();
    signatures.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_the_published_vector() {
        let secret = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let (id, body) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", r#"{"test": 2432232314}"#);
        let published = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(
            sign(std::slice::from_ref(&secret), id, 1_614_265_330, body),
            published
        );
        let both = sign(&[vec![1; 32], secret], id, 1_614_265_330, body);
        let [other, same] = both.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{both}")
        };
        assert_eq!(same, published);
        assert_ne!(other, published);
    }
}
