//! Contacts as they may be shown to others than their owner: enough for the owner to recognise it, too little for others to learn it.

use crate::message::Channel;

const DOTS: &str = "•••";

/// Where a message goes, masked.
pub fn masked(channel: Channel, recipient: &str) -> String {
    match channel {
        Channel::Email => email(recipient),
        Channel::Sms => mobile(recipient),
    }
}

/// A mobile phone's end.
pub fn mobile(number: &str) -> String {
    last(number, 3)
}

/// An identification number's end.
pub fn number(number: &str) -> String {
    last(number, 4)
}

/// `m•••a@e•••.com`.
pub fn email(address: &str) -> String {
    let (local, domain) = address.rsplit_once('@').unwrap_or((address, ""));
    let (host, top) = domain.rsplit_once('.').unwrap_or((domain, ""));
    let first: String = local.chars().take(1).collect();
    let end: String = match local.chars().count() {
        0..=3 => String::new(),
        _ => local.chars().next_back().into_iter().collect(),
    };
    let host: String = host.chars().take(1).collect();
    format!("{first}{DOTS}{end}@{host}{DOTS}.{top}")
}

/// `•••• 567`.
fn last(text: &str, shown: usize) -> String {
    let plain: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    // At most half of a short text is shown.
    let shown = shown.min(plain.len() / 2);
    let end: String = plain[plain.len() - shown..].iter().collect();
    // Never parted at the end of a line.
    format!("••••\u{a0}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_hinted_at() {
        assert_eq!(masked(Channel::Email, "maria@example.com"), "m•••a@e•••.com");
        assert_eq!(masked(Channel::Email, "ana@x.com.co"), "a•••@x•••.co");
        assert_eq!(masked(Channel::Sms, "+573001234567"), "••••\u{a0}567");
        assert_eq!(number("1020304050"), "••••\u{a0}4050");
        assert_eq!(number("12"), "••••\u{a0}2");
    }
}
