//! Addresses that carry authority: a folio's, a signer's own, and a bulk signature's.
//!
//! A folio's link is its identifier with a 256-bit MAC over it, and a signer's the same with the index, so that
//! sending one again gives the same link and none is stored. A bulk signature's is authenticated encryption,
//! made once.

use crate::shared::secrets::MasterKey;
use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::hmac;
use data_encoding::{BASE64, BASE64URL_NOPAD};
use domain::{Bulk, BulkId, CompanyId, FolioId, SignerIndex};
use std::sync::Arc;
use url::Url;

const FOLIO: &str = "folio links";
const SIGNER: &str = "signer links";
const BULK: &str = "bulk links";
/// What links need keys for.
pub(crate) const PURPOSES: [&str; 3] = [FOLIO, SIGNER, BULK];

/// Makes and reads links.
#[derive(Clone)]
pub struct Links {
    keys: Arc<Keys>,
    sign_app: Url,
    /// A folio's address up to its token.
    folios: Arc<str>,
}

struct Keys {
    folio: hmac::Key,
    signer: hmac::Key,
    bulk: RandomizedNonceKey,
}

impl std::fmt::Debug for Links {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Links")
            .field("sign_app", &self.sign_app.as_str())
            .finish_non_exhaustive()
    }
}

impl Links {
    /// Links on the signing application at that address.
    pub fn new(master: &MasterKey, sign_app: &Url) -> Self {
        let bulk = RandomizedNonceKey::new(&AES_256_GCM, &master.derive(BULK));
        // The key has the length the cipher asks for, by its type.
        let Ok(bulk) = bulk else {
            unreachable!("32 bytes are an AES-256 key")
        };
        let folio = hmac::Key::new(hmac::HMAC_SHA256, &master.derive(FOLIO));
        let signer = hmac::Key::new(hmac::HMAC_SHA256, &master.derive(SIGNER));
        Self {
            keys: Arc::new(Keys { folio, signer, bulk }),
            sign_app: sign_app.clone(),
            folios: before_token(sign_app),
        }
    }

    /// The folio's signing address, which the company may give to its signers.
    pub fn folio(&self, folio: FolioId) -> String {
        let mut token = folio.as_bytes().to_vec();
        token.extend(hmac::sign(&self.keys.folio, folio.as_bytes()).as_ref());
        let mut address = self.folios.as_ref().to_owned();
        // Its digits mean nothing else in an address.
        BASE64URL_NOPAD.encode_append(&token, &mut address);
        address
    }

    /// The host of the signing application.
    pub fn host(&self) -> &str {
        self.sign_app.host_str().unwrap_or_default()
    }

    /// The folio that a link's token names; `None` if the token was not made here.
    pub fn read_folio(&self, token: &str) -> Option<FolioId> {
        let token = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let (id, mac) = token.split_first_chunk::<16>()?;
        hmac::verify(&self.keys.folio, id, mac).ok()?;
        Some(FolioId::from_bytes(*id))
    }

    /// The signing address of one signer, for that signer alone.
    pub fn signer(&self, folio: FolioId, signer_index: SignerIndex) -> Url {
        let mut token = folio.as_bytes().to_vec();
        // A folio has ten signers at most: an index beyond a byte matches none.
        token.push(u8::try_from(signer_index.0).unwrap_or(u8::MAX));
        let mac = hmac::sign(&self.keys.signer, &token);
        token.extend(mac.as_ref());
        let mut url = page(&self.sign_app, "sign");
        url.query_pairs_mut()
            .append_pair("s", &BASE64URL_NOPAD.encode(&token));
        url
    }

    /// The folio and the signer's index of a token; nothing if the token was not made here.
    pub fn read_signer(&self, token: &str) -> Option<(FolioId, SignerIndex)> {
        let token = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let (named, mac) = token.split_first_chunk::<17>()?;
        hmac::verify(&self.keys.signer, named, mac).ok()?;
        let (id, signer_index) = named.split_first_chunk::<16>()?;
        let signer_index = SignerIndex((*signer_index.first()?).into());
        Some((FolioId::from_bytes(*id), signer_index))
    }

    /// The bulk signature's address.
    pub fn bulk(&self, bulk: &Bulk) -> Url {
        let mut url = page(&self.sign_app, "sign/bulk");
        url.query_pairs_mut()
            .append_pair("msv", &self.seal(b"bulk", bulk.id.as_bytes()))
            .append_pair("a", &self.seal(b"account", &bulk.company.0.to_be_bytes()))
            .append_pair(
                "cc",
                &BASE64.encode(bulk.signer.document_number.as_str().as_bytes()),
            )
            .append_pair("ur", bulk.return_url.as_str())
            .append_pair("rej", "1");
        url
    }

    /// The bulk signature that a link's package names. Everything else is looked up, not read off the link.
    pub fn read_bulk(&self, msv: &str) -> Option<BulkId> {
        self.unseal(b"bulk", msv)?.try_into().ok().map(BulkId::from_bytes)
    }

    /// The company that a link's account names.
    pub fn read_account(&self, account: &str) -> Option<CompanyId> {
        self.unseal(b"account", account)?
            .try_into()
            .ok()
            .map(i64::from_be_bytes)
            .map(CompanyId)
    }

    fn seal(&self, purpose: &[u8], plain: &[u8]) -> String {
        let mut text = plain.to_vec();
        let nonce = self
            .keys
            .bulk
            .seal_in_place_append_tag(Aad::from(purpose), &mut text);
        // Sealing fails for texts of many gigabytes only.
        let Ok(nonce) = nonce else {
            unreachable!("a short text is sealed")
        };
        BASE64URL_NOPAD.encode(&[nonce.as_ref().as_slice(), &text].concat())
    }

    fn unseal(&self, purpose: &[u8], sealed: &str) -> Option<Vec<u8>> {
        let sealed = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
        let (nonce, text) = sealed.split_first_chunk::<12>()?;
        let nonce = Nonce::from(nonce);
        let mut text = text.to_vec();
        let plain = self
            .keys
            .bulk
            .open_in_place(nonce, Aad::from(purpose), &mut text)
            .ok()?;
        Some(plain.to_vec())
    }
}

fn page(sign_app: &Url, path: &str) -> Url {
    let mut url = sign_app.clone();
    url.set_path(&format!("{}/{path}", url.path().trim_end_matches('/')));
    url
}

fn before_token(sign_app: &Url) -> Arc<str> {
    let mut url = page(sign_app, "sign");
    url.set_fragment(None);
    url.query_pairs_mut().append_pair("f", "");
    url.as_str().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(key: &str) -> Links {
        let master = MasterKey::from_hex(&key.repeat(32)).unwrap();
        Links::new(&master, &Url::parse("https://firmas.example.com/x/").unwrap())
    }

    fn token(url: &Url) -> String {
        url.query_pairs().next().unwrap().1.into_owned()
    }

    #[test]
    fn a_signers_link_names_the_folio_and_the_place() {
        let folio = FolioId::from_bytes([7; 16]);
        let url = links("5a").signer(folio, SignerIndex(3));
        assert!(url.as_str().starts_with("https://firmas.example.com/x/sign?s="));
        assert_eq!(
            links("5a").read_signer(&token(&url)),
            Some((folio, SignerIndex(3)))
        );
        assert_eq!(links("5b").read_signer(&token(&url)), None);
        assert_eq!(
            url,
            links("5a").signer(folio, SignerIndex(3)),
            "the same link every time"
        );
    }

    #[test]
    fn no_bit_of_a_signers_token_can_be_changed() {
        let links = links("5a");
        let token = token(&links.signer(FolioId::from_bytes([7; 16]), SignerIndex(0)));
        let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).unwrap();
        for byte in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[byte] ^= 1 << bit;
                assert_eq!(links.read_signer(&BASE64URL_NOPAD.encode(&changed)), None);
            }
        }
        let folio = FolioId::from_bytes([7; 16]);
        let folios = self::token(&Url::parse(&links.folio(folio)).unwrap());
        assert_eq!(links.read_folio(&folios), Some(folio));
        assert_eq!(links.read_signer(&folios), None);
        assert_eq!(links.read_folio(&token), None);
    }
}
