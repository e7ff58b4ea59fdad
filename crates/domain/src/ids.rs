//! Identifiers: 128 random bits, written as 32 lowercase hexadecimal characters.
//! An identifier names a thing; it never authorises anything.
//! What has a place in a folio is named by its index there.

use data_encoding::HEXLOWER;
use std::fmt;
use std::str::FromStr;

/// Where random bytes come from: the system's source in the service, a seeded one in tests.
pub trait Random {
    /// Fills the whole slice.
    fn fill(&mut self, bytes: &mut [u8]);
}

/// A text that is not an identifier of this form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 32 lowercase hexadecimal characters")]
pub struct MalformedId;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name([u8; 16]);

        impl $name {
            /// A new identifier out of the given randomness.
            pub fn random(random: &mut dyn Random) -> Self {
                let mut bytes = [0; 16];
                random.fill(&mut bytes);
                Self(bytes)
            }

            /// The identifier whose 16 bytes are known.
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }

            /// The 16 bytes.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(hex(&self.0, &mut [0; 32]))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = MalformedId;

            fn from_str(text: &str) -> Result<Self, MalformedId> {
                unhex(text).map(Self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(hex(&self.0, &mut [0; 32]))
            }
        }
    };
}

id!(
    /// A folio: one signing process.
    FolioId
);
id!(
    /// A document of a folio.
    DocumentId
);
id!(
    /// A bulk signature: many folios signed by one signer in one go.
    BulkId
);
id!(
    /// A webhook of a company.
    WebhookId
);
id!(
    /// A webhook event.
    DeliveryId
);
id!(
    /// A form of a new folio that was not sent yet.
    DraftId
);
id!(
    /// A form of folios that a company keeps to use again.
    FolioTemplateId
);
id!(
    /// An API key. It is not the secret.
    KeyId
);
id!(
    /// A person who signs in to the panel.
    UserId
);
id!(
    /// An invitation to the panel.
    InvitationId
);
id!(
    /// The identity provider by which a company's people sign in.
    ProviderId
);
id!(
    /// A session of the panel. It is not the token.
    SessionId
);
id!(
    /// A session of a signer. It is not the token.
    SignerSessionId
);
id!(
    /// Identifies a one-time code. It is not the digits.
    CodeId
);
id!(
    /// A running instance.
    InstanceId
);
id!(
    /// A browser that has yet to say which signer of a folio it is.
    VisitorId
);

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub usize);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

index!(
    /// The index of a signer in a folio, from 0.
    SignerIndex
);
index!(
    /// The index of a document in a folio, from 0.
    DocumentIndex
);

fn hex<'a>(bytes: &[u8; 16], out: &'a mut [u8; 32]) -> &'a str {
    HEXLOWER.encode_mut(bytes, out);
    std::str::from_utf8(out).unwrap_or_default()
}

fn unhex(text: &str) -> Result<[u8; 16], MalformedId> {
    let digits: &[u8; 32] = text.as_bytes().try_into().map_err(|_| MalformedId)?;
    let mut bytes = [0; 16];
    HEXLOWER.decode_mut(digits, &mut bytes).map_err(|_| MalformedId)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_writes() {
        let id = FolioId::from_bytes(*b"0123456789abcdef");
        assert_eq!(id.to_string().len(), 32);
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn an_index_is_written_as_its_number() {
        let index = SignerIndex(3);
        assert_eq!(index.to_string(), "3");
        assert_eq!(serde_json::to_string(&index).unwrap(), "3");
        assert_eq!(serde_json::from_str::<SignerIndex>("3").unwrap(), index);
    }

    #[test]
    fn refuses_everything_else() {
        for text in [
            "",
            "0",
            "0123456789ABCDEF0123456789ABCDEF",
            "g123456789abcdef0123456789abcdef",
        ] {
            assert_eq!(text.parse::<FolioId>(), Err(MalformedId), "{text}");
        }
        assert!("0123456789abcdef0123456789abcdef0".parse::<FolioId>().is_err());
        assert!("é123456789abcdef0123456789abcde".parse::<FolioId>().is_err());
    }
}
