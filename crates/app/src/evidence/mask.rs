//! A signer's copy: of the other signers it has the names and what they did, and hints of their contacts and document
//! numbers. The words of a signer who rejected are for the company, and so are a mail server's words about another signer's mail.

use super::bundle::Evidence;
use domain::mask;
use domain::personal::PersonalValue;
use domain::{Channel, SignerIndex};
use serde_json::Value;

/// The signer who receives the copy. An earlier contact or document number may belong to another person, so only the
/// present ones are shown.
struct CopyOwner {
    signer_index: SignerIndex,
    document_number: String,
    email: String,
    /// As it is written, without its country's sign.
    mobile: String,
}

impl CopyOwner {
    fn is_reached_at(&self, contact: &str) -> bool {
        contact == self.email || !self.mobile.is_empty() && contact.ends_with(&self.mobile)
    }
}

/// The copy for the signer with that index.
pub(super) fn for_signer(mut evidence: Evidence, own: SignerIndex) -> Evidence {
    let facts = evidence.signers.iter().find(|signer| signer.signer == own);
    let owner = CopyOwner {
        signer_index: own,
        document_number: facts.map_or_else(String::new, |facts| facts.document_number.clone()),
        email: facts.map_or_else(String::new, |facts| facts.email.clone()),
        mobile: facts.map_or_else(String::new, |facts| {
            facts.mobile.trim_start_matches('+').to_owned()
        }),
    };
    for signer in &mut evidence.signers {
        if signer.signer == own {
            continue;
        }
        signer.document_number = hinted(&signer.document_number, mask::number);
        signer.email = hinted(&signer.email, mask::email);
        signer.mobile = hinted(&signer.mobile, mask::mobile);
        signer.address = None;
        signer.device = None;
        signer.language = None;
        if signer.state == "rejected" {
            evidence.folio.observation = None;
        }
    }
    for event in &mut evidence.history.events {
        let body = event.parsed_body();
        let values = std::mem::take(&mut event.values).into_iter();
        event.values = values.map(|value| shown_to(&owner, &body, value)).collect();
    }
    for message in &mut evidence.messages {
        if message.signer != own || !owner.is_reached_at(&message.recipient) {
            message.recipient = hinted(&message.recipient, |to| {
                mask::masked(channel(&message.channel), to)
            });
            message.last_error = None;
        }
    }
    evidence
}

/// A value as that signer may see it.
fn shown_to(owner: &CopyOwner, body: &Value, value: PersonalValue) -> PersonalValue {
    let own = owner.signer_index;
    let is_own = |place: &Value| place.as_u64() == u64::try_from(own.0).ok();
    let concerns_them = match value.at.split('/').nth(1) {
        Some("signers") => value.at.split('/').nth(2) == Some(own.to_string().as_str()),
        // Who acted, from where, and with what.
        Some("address" | "device" | "language") => body["who"] == "signer" && is_own(&body["signer"]),
        Some("email") => false,
        _ => is_own(&body["signer"]),
    };
    let text = value.value.as_deref().unwrap_or_default();
    let is_present = match value.field() {
        "email" | "mobile" | "recipient" => owner.is_reached_at(text),
        "document_number" => text == owner.document_number,
        _ => true,
    };
    let concerns_them = concerns_them && is_present;
    // All signers may read names, and the company's reason for a cancellation or a rejection.
    if concerns_them || matches!(value.field(), "name" | "observation") || value.value.is_none() {
        return value;
    }
    let masked = match value.field() {
        "email" => Some(hinted(text, mask::email)),
        "mobile" => Some(hinted(text, mask::mobile)),
        "document_number" => Some(hinted(text, mask::number)),
        "recipient" => {
            let channel = channel(body["channel"].as_str().unwrap_or_default());
            Some(hinted(text, |to| mask::masked(channel, to)))
        }
        _ => None,
    };
    value.withheld(masked)
}

/// A hint, where there is something to hint at.
fn hinted(text: &str, mask: impl FnOnce(&str) -> String) -> String {
    if text.is_empty() {
        String::new()
    } else {
        mask(text)
    }
}

fn channel(word: &str) -> Channel {
    match word {
        "sms" => Channel::Sms,
        _ => Channel::Email,
    }
}
