//! The standard security handler: strings and streams that are encrypted under a password.

use super::ciphers::{BLOCK_BYTES, aes_decrypt, aes_encrypt, md5, rc4};
use super::password::Secrets;
use crate::damage::Damage;
use crate::syntax::{Dict, Kind, Ref, Value};

/// How a file is encrypted, opened with one of its passwords.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encryption {
    key: Vec<u8>,
    strings: Method,
    streams: Method,
    attachments: Method,
    /// The crypt filters that a stream may name.
    filters: Vec<(Vec<u8>, Method)>,
    encrypt_metadata: bool,
    permissions: i32,
    revision: i64,
    /// The length of the key is missing, and the usual one was not the right one.
    guessed: bool,
}

/// How one string or stream is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Identity,
    Rc4,
    /// AES with a key for each object.
    Aes128,
    /// AES with the file's key.
    Aes256,
}

impl Method {
    fn stored(number: u8) -> Option<Self> {
        [Self::Identity, Self::Rc4, Self::Aes128, Self::Aes256]
            .into_iter()
            .find(|method| *method as u8 == number)
    }
}

/// Bits of `/P`: change the document, which includes new pages, and with the second also new form fields.
const MAY_CHANGE: i32 = 1 << 3;
const MAY_ANNOTATE: i32 = 1 << 5;

impl Encryption {
    /// Opens the encryption of a file: its `/Encrypt` dictionary, the first half of its `/ID`, and the user's or
    /// the owner's password, which may be empty. Strings of this dictionary are never encrypted themselves.
    pub fn open(dict: &Dict<'_>, id: &[u8], password: &[u8]) -> Result<Self, Damage> {
        if dict.ambiguous || dict.name("Filter") != Some(b"Standard") {
            return Err(Damage::Encryption);
        }
        let version = dict.int("V").unwrap_or(0);
        let revision = dict.int("R").ok_or(Damage::Entry("R"))?;
        let key_length = match (version, revision) {
            (1, 2 | 3) => 5,
            (2, 2..=4) => bytes(dict.int("Length").unwrap_or(40))?,
            (4, 4) => 16,
            (5, 5 | 6) => 32,
            _ => return Err(Damage::Encryption),
        };
        let text = |key: &'static str| dict.get(key).and_then(Value::as_string).unwrap_or_default();
        let stated = dict.int("P").ok_or(Damage::Entry("P"))?;
        // Some writers state the 32 bits as a number without a sign.
        let permissions = i32::try_from(stated)
            .or_else(|_| u32::try_from(stated).map(u32::cast_signed))
            .map_err(|_| Damage::Entry("P"))?;
        let encrypt_metadata = dict
            .get("EncryptMetadata")
            .is_none_or(|value| value.raw != b"false");
        let mut secrets = Secrets {
            revision,
            key_length,
            owner: text("O"),
            user: text("U"),
            owner_key: text("OE"),
            user_key: text("UE"),
            permissions,
            encrypt_metadata,
            id: id.to_vec(),
        };
        let mut key = secrets.key(password);
        let guessed = key.is_none() && version == 2 && !dict.has("Length");
        if guessed {
            secrets.key_length = 16;
            key = secrets.key(password);
        }
        let key = key.ok_or(Damage::Password)?;
        let filters = if version >= 4 { filters(dict)? } else { Vec::new() };
        let method = |name: &str| match dict.name(name) {
            _ if version < 4 => Ok(Method::Rc4),
            None => Ok(Method::Identity),
            Some(filter) => named(&filters, filter),
        };
        let streams = method("StmF")?;
        let attachments = if dict.has("EFF") { method("EFF")? } else { streams };
        Ok(Self {
            key,
            strings: method("StrF")?,
            streams,
            attachments,
            filters,
            encrypt_metadata,
            permissions,
            revision,
            guessed,
        })
    }

    /// Whether not every validator reads it: the revision that Adobe withdrew and ISO 32000-2 forbids, and one that does
    /// not say how long its key is.
    pub fn is_rarely_read(&self) -> bool {
        self.revision == 5 || self.guessed
    }

    /// Whether the permissions let a page and signature fields be added.
    pub fn may_sign(&self) -> bool {
        self.permissions & (MAY_CHANGE | MAY_ANNOTATE) == MAY_CHANGE | MAY_ANNOTATE
    }

    /// Whether a stream is left in the clear only because it is metadata.
    pub fn is_bare_metadata(&self, dict: &Dict<'_>) -> bool {
        !self.encrypt_metadata && dict.name("Type") == Some(b"Metadata") && crypt_filter(dict).is_none()
    }

    /// A string of the object `id`. Strings inside an object stream are not encrypted one by one.
    pub fn decrypt_string(&self, id: Ref, data: &[u8]) -> Result<Vec<u8>, Damage> {
        self.decrypt(self.strings, id, data)
    }

    /// The bytes of a stream as its own filters left them.
    pub fn decrypt_stream(&self, id: Ref, dict: &Dict<'_>, data: &[u8]) -> Result<Vec<u8>, Damage> {
        self.decrypt(self.method(dict)?, id, data)
    }

    /// Encrypts a string of the object `id`. The initialization vector must not have been used before; RC4 has none.
    pub fn encrypt_string(&self, id: Ref, data: &[u8], iv: &[u8; BLOCK_BYTES]) -> Result<Vec<u8>, Damage> {
        self.encrypt(self.strings, id, data, iv)
    }

    /// Encrypts the bytes of a stream.
    pub fn encrypt_stream(
        &self,
        id: Ref,
        dict: &Dict<'_>,
        data: &[u8],
        iv: &[u8; BLOCK_BYTES],
    ) -> Result<Vec<u8>, Damage> {
        self.encrypt(self.method(dict)?, id, data, iv)
    }

    /// What an increment needs, to be stored: all but the filters that streams of the document name.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let methods = [self.strings, self.streams, self.attachments].map(|method| method as u8);
        let mut out = methods.to_vec();
        out.push(self.encrypt_metadata.into());
        out.extend_from_slice(&self.permissions.to_le_bytes());
        out.extend_from_slice(&self.revision.to_le_bytes());
        out.extend_from_slice(&self.key);
        out
    }

    /// Reads what [`Encryption::to_bytes`] wrote.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&[strings, streams, attachments, encrypt_metadata], rest) = bytes.split_first_chunk()?;
        let (permissions, rest) = rest.split_first_chunk()?;
        let (revision, key) = rest.split_first_chunk()?;
        (5..=32).contains(&key.len()).then_some(Self {
            key: key.to_vec(),
            strings: Method::stored(strings)?,
            streams: Method::stored(streams)?,
            attachments: Method::stored(attachments)?,
            filters: Vec::new(),
            encrypt_metadata: encrypt_metadata != 0,
            permissions: i32::from_le_bytes(*permissions),
            revision: i64::from_le_bytes(*revision),
            guessed: false,
        })
    }

    /// How a stream is encrypted. Cross-references never are.
    fn method(&self, dict: &Dict<'_>) -> Result<Method, Damage> {
        if let Some(name) = crypt_filter(dict) {
            return named(&self.filters, name);
        }
        Ok(match dict.name("Type") {
            Some(b"XRef") => Method::Identity,
            _ if self.is_bare_metadata(dict) => Method::Identity,
            Some(b"EmbeddedFile") => self.attachments,
            _ => self.streams,
        })
    }

    fn decrypt(&self, method: Method, id: Ref, data: &[u8]) -> Result<Vec<u8>, Damage> {
        let plain = match method {
            Method::Identity => Some(data.to_vec()),
            Method::Rc4 => rc4(&self.object_key(method, id), data),
            Method::Aes128 | Method::Aes256 => aes_decrypt(&self.object_key(method, id), data),
        };
        plain.ok_or(Damage::Encrypted)
    }

    fn encrypt(
        &self,
        method: Method,
        id: Ref,
        data: &[u8],
        iv: &[u8; BLOCK_BYTES],
    ) -> Result<Vec<u8>, Damage> {
        let encrypted = match method {
            Method::Identity => Some(data.to_vec()),
            Method::Rc4 => rc4(&self.object_key(method, id), data),
            Method::Aes128 | Method::Aes256 => aes_encrypt(&self.object_key(method, id), iv, data),
        };
        encrypted.ok_or(Damage::Encrypted)
    }

    fn object_key(&self, method: Method, id: Ref) -> Vec<u8> {
        if method == Method::Aes256 {
            return self.key.clone();
        }
        let salt: &[u8] = if method == Method::Aes128 { b"sAlT" } else { &[] };
        let [a, b, c, _] = id.number.to_le_bytes();
        let hash = md5(&[&self.key, &[a, b, c], &id.generation.to_le_bytes(), salt]);
        hash.into_iter().take(self.key.len() + 5).collect()
    }
}

fn bytes(bits: i64) -> Result<usize, Damage> {
    usize::try_from(bits / 8)
        .ok()
        .filter(|bytes| (5..=16).contains(bytes))
        .ok_or(Damage::Entry("Length"))
}

fn filters(dict: &Dict<'_>) -> Result<Vec<(Vec<u8>, Method)>, Damage> {
    let Some(Kind::Dict(filters)) = dict.get("CF").map(|value| &value.kind) else {
        return Ok(Vec::new());
    };
    filters
        .entries
        .iter()
        .map(|(name, filter)| {
            let method = match filter.as_dict().and_then(|filter| filter.name("CFM")) {
                None | Some(b"None") => Method::Identity,
                Some(b"V2") => Method::Rc4,
                Some(b"AESV2") => Method::Aes128,
                Some(b"AESV3") => Method::Aes256,
                Some(_) => return Err(Damage::Encryption),
            };
            Ok((name.to_vec(), method))
        })
        .collect()
}

fn named(filters: &[(Vec<u8>, Method)], name: &[u8]) -> Result<Method, Damage> {
    if name == b"Identity" {
        return Ok(Method::Identity);
    }
    let found = filters.iter().find(|(filter, _)| filter == name);
    found.map(|(_, method)| *method).ok_or(Damage::Encryption)
}

/// The crypt filter that a stream names as its first filter.
fn crypt_filter<'s>(dict: &'s Dict<'_>) -> Option<&'s [u8]> {
    let first = |key: &str| {
        let value = dict.get(key)?;
        value.as_array().map_or(Some(value), <[_]>::first)
    };
    if first("Filter")?.as_name() != Some(b"Crypt") {
        return None;
    }
    let name = first("DecodeParms")
        .and_then(Value::as_dict)
        .and_then(|params| params.name("Name"));
    Some(name.unwrap_or(b"Identity"))
}

#[cfg(test)]
mod tests {
    use data_encoding::HEXLOWER;

    use super::*;
    use crate::meter::Meter;
    use crate::syntax::Parser;

    /// One file that qpdf wrote: its dictionary, and a string and a stream in it.
    #[derive(Clone, Copy)]
    struct Sample {
        password: &'static str,
        dict: &'static str,
        string: &'static str,
        stream: &'static str,
    }

    const ID: &str = "a9b102b4e5781e31c01ec8ee8d269c14";
    const STRING: Ref = Ref {
        number: 2,
        generation: 0,
    };
    const STREAM: Ref = Ref {
        number: 4,
        generation: 0,
    };

    /// RC4 of 40 and 128 bits, crypt filters with RC4 and AES, AES of 256 bits in both revisions.
    const SAMPLES: [Sample; 7] = [
        Sample {
            password: "",
            dict: "<</Filter/Standard/Length 40/O<7a89f5e0d1888ddddb9053bd63ff6aa3bc2100735006ed79c3b40d7cb5b50ecc>/P -12/R 2/U<3108f727146bc006fc0c515692e914c7842cea6c28e0c6ae23fc4238370547e5>/V 1>>",
            string: "f9a29f49",
            stream: "cc09d74bc37223f9cb1f0139c0a14f9c5da8",
        },
        Sample {
            password: "",
            dict: "<</Filter/Standard/Length 128/O<dcb9bd787d70b166d177816ba675ce31ab4201d3239dd8f0fdf4bf3e2b8c6ece>/P -1028/R 3/U<cc8a2b41d9f503396538cb61de6c9dc50021446990b9e4114071a4d9104984c1>/V 2>>",
            string: "9a3d5316",
            stream: "0b129649707ac2b21a28552ba7bc5cdf149a",
        },
        Sample {
            password: "",
            dict: "<</CF<</StdCF<</AuthEvent/DocOpen/CFM/V2/Length 16>>>>/EncryptMetadata false/Filter/Standard/Length 128/O<dcb9bd787d70b166d177816ba675ce31ab4201d3239dd8f0fdf4bf3e2b8c6ece>/P -1028/R 4/StmF/StdCF/StrF/StdCF/U<54d5dd8ecf88af1f620bb678ca2e039e0021446990b9e4114071a4d9104984c1>/V 4>>",
            string: "6d3a8cc3",
            stream: "06356fddffb426c3ab8f7614f0706907f055",
        },
        Sample {
            password: "",
            dict: "<</CF<</StdCF<</AuthEvent/DocOpen/CFM/AESV2/Length 16>>>>/Filter/Standard/Length 128/O<dcb9bd787d70b166d177816ba675ce31ab4201d3239dd8f0fdf4bf3e2b8c6ece>/P -1028/R 4/StmF/StdCF/StrF/StdCF/U<cc8a2b41d9f503396538cb61de6c9dc50021446990b9e4114071a4d9104984c1>/V 4>>",
            string: "545b9209d5dffc6a364bfaa8de1fca1046604df52d8a731a166f3c3713e61ac1",
            stream: "decc572fe296483128c8e326977059ff83ed8cca9f094014a3199f03fddd5c0620ccf74011b3e1c54d85b27cc9208bb9",
        },
        Sample {
            password: "",
            dict: "<</CF<</StdCF<</AuthEvent/DocOpen/CFM/AESV3/Length 32>>>>/Filter/Standard/Length 256/O<026a923c3380c0712d844631b7eea6d1265e9c7bb28014e11f362d2561c12a48537b8e47c69228e19f97676bf26a6842>/OE<19f14bd83447934dc15799aa0ff6c9e4ba02af903f88f481f11e33c4520f6085>/P -1028/Perms<fc4e32541f22e415b520e688471f4d80>/R 5/StmF/StdCF/StrF/StdCF/U<f4340e57e0f0af0b3a1dbdf710656deb9e841e3712404f3802afade1ad15b05be3f2cf609946951021acbdc8c35077fa>/UE<6457f2f18f1577a9404fb0a5ba1ac94c420135abd2bef0050dc9d455fb6a204b>/V 5>>",
            string: "dd69934bf089ce9032e3fe4c95ba028f7b21aeded58069ca8c11981ac65e652d",
            stream: "234630807b44ef06d15ded503c6246021d3b910ee9a11b3d4e93a8b61021f36813d07cae7f51008f91b65c715fe53f64",
        },
        Sample {
            password: "",
            dict: "<</CF<</StdCF<</AuthEvent/DocOpen/CFM/AESV3/Length 32>>>>/Filter/Standard/Length 256/O<9d77e3ff1a6765a73f28f53ca4549c916fc8e0ea01747102eb2cd2775ddf3ded78939d268c6744bd3d687e22ce7bd0a6>/OE<40ce1bcc3eba9d846483d1779a0868d3da8bdbe282634e4dc47f2c394599ab72>/P -1028/Perms<993cf47598bb739ae576df2bd43a6656>/R 6/StmF/StdCF/StrF/StdCF/U<2091bb29b2ad6cc4283defccfc60e8f217c80991af72f087aee94c840e0f14a62d500bc9593d94038ae96ac16ccfb1f7>/UE<0205da3be0cd0741a9a262e869553378290d67015bfa18119de8e8b90c22631c>/V 5>>",
            string: "6563e1e1c2cec41899121e362d5fa1907925368455b3b3429dacc50de901f34a",
            stream: "d711fb47eaf2070cbeb5ab390bcddbe449aa892db2b65a9cd58dc95b169ad3d6e0007292f2b8d42d3a17e13dce50fc71",
        },
        Sample {
            password: "clave",
            dict: "<</CF<</StdCF<</AuthEvent/DocOpen/CFM/AESV3/Length 32>>>>/Filter/Standard/Length 256/O<f49052a6977d512dcf3db479bbcd2ead75f726fb1b5fe0cc37560d5ad475905ffdf8d532ae4cefc33595613c8e96c43b>/OE<8871792bef033f89e92947aa294178aa618eece6a717d9a41c7c218947653db5>/P -1028/Perms<dae1104bd1024f13062df31f1b9cb37f>/R 6/StmF/StdCF/StrF/StdCF/U<9c939f42df2b7779849409bff38142aa06822c14376be250d57dad7e3ee45ca4d0765d3b59a3126572a2ccf99c3fe1c1>/UE<da950b73d2096fe3147a22a351ed57f6a7176587d848a6b692f561fba8971629>/V 5>>",
            string: "196366aabecac348024fc5dcfc02a29e2475035e4ae0c63c7b18781a788bf322",
            stream: "3525839cb8a9332654e6ac59c8b24d25e59c2f612737a550b0317af801f148c103ad4cd26872904c1840688077e1bcc0",
        },
    ];

    fn with_dict<T>(text: &str, read: impl FnOnce(&Dict<'_>) -> T) -> T {
        let meter = Meter::new(1_000, 1_000, 10);
        read(
            Parser::new(text.as_bytes(), 0, &meter)
                .value()
                .unwrap()
                .as_dict()
                .unwrap(),
        )
    }

    fn opened(sample: &Sample, password: &str) -> Result<Encryption, Damage> {
        let id = HEXLOWER.decode(ID.as_bytes()).unwrap();
        with_dict(sample.dict, |dict| {
            Encryption::open(dict, &id, password.as_bytes())
        })
    }

    #[test]
    fn both_passwords_open_what_qpdf_encrypted_and_no_other_does() {
        for sample in &SAMPLES {
            let [string, stream] =
                [sample.string, sample.stream].map(|hex| HEXLOWER.decode(hex.as_bytes()).unwrap());
            for password in [sample.password, "dueno"] {
                let encryption = opened(sample, password).unwrap();
                assert_eq!(encryption.decrypt_string(STRING, &string).unwrap(), b"Hola");
                let text = with_dict("<<>>", |dict| encryption.decrypt_stream(STREAM, dict, &stream));
                assert_eq!(text.unwrap(), b"texto del contrato");
            }
            assert_eq!(opened(sample, "otra"), Err(Damage::Password), "{}", sample.dict);
        }
    }

    #[test]
    fn what_is_encrypted_can_be_decrypted() {
        for sample in &SAMPLES {
            let encryption = opened(sample, sample.password).unwrap();
            for text in [&b""[..], b"a", &[7; 16], &[7; 100]] {
                let encrypted = encryption.encrypt_string(STRING, text, &[3; 16]).unwrap();
                assert_eq!(encryption.decrypt_string(STRING, &encrypted).unwrap(), text);
                assert!(text.len() < 16 || encrypted != text);
                let stored = Encryption::from_bytes(&encryption.to_bytes()).unwrap();
                assert_eq!(stored.decrypt_string(STRING, &encrypted).unwrap(), text);
            }
        }
    }

    #[test]
    fn metadata_and_streams_that_say_so_are_left_as_they_are() {
        let encryption = opened(&SAMPLES[2], "").unwrap();
        for (dict, encrypted) in [
            ("<</Type/XRef>>", false),
            ("<</Type/Metadata>>", false),
            ("<</Filter[/Crypt]>>", false),
            ("<</Filter/Crypt/DecodeParms<</Name/Identity>>>>", false),
            (
                "<</Filter[/Crypt/FlateDecode]/DecodeParms[<</Name/StdCF>>null]>>",
                true,
            ),
            ("<</Filter[/FlateDecode]>>", true),
        ] {
            let out = with_dict(dict, |dict| {
                encryption.encrypt_stream(STREAM, dict, b"text", &[0; 16])
            });
            assert_eq!(out.unwrap() != b"text", encrypted, "{dict}");
        }
        let unknown = with_dict("<</Filter/Crypt/DecodeParms<</Name/X>>>>", |dict| {
            encryption.decrypt_stream(STREAM, dict, b"text")
        });
        assert_eq!(unknown, Err(Damage::Encryption));
        let encryption = opened(&SAMPLES[3], "").unwrap();
        let metadata = with_dict("<</Type/Metadata>>", |dict| {
            encryption.encrypt_stream(STREAM, dict, b"text", &[0; 16])
        });
        assert_ne!(metadata.unwrap(), b"text");
    }

    #[test]
    fn permissions_are_read() {
        assert!(!opened(&SAMPLES[0], "").unwrap().may_sign());
        assert!(opened(&SAMPLES[1], "").unwrap().may_sign());
    }

    #[test]
    fn damaged_data_is_an_error() {
        let encryption = opened(&SAMPLES[5], "").unwrap();
        for data in [&[1][..], &[1; 17], &[1; 33]] {
            assert_eq!(encryption.decrypt_string(STRING, data), Err(Damage::Encrypted));
        }
        let other = Sample {
            dict: "<</Filter/Adobe.PubSec/V 4>>",
            ..SAMPLES[0]
        };
        assert_eq!(opened(&other, ""), Err(Damage::Encryption));
    }
}
