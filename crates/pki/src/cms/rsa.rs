//! RSA signatures of the kinds that the cryptographic library does not verify (RFC 8017): SHA-3, and RSASSA-PSS with any
//! salt and with another digest for its mask. Everything here is public, so time may vary.

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd};
use der::Tag;

use super::algorithm::DigestAlgorithm;
use super::error::CmsError;
use super::read_der::{Malformed, Values};
use super::write_der::{self, NULL, OCTET_STRING, SEQUENCE};

const WHAT: &str = "RSA key";
/// The accepted moduli, in bits.
pub(super) const MIN_MODULUS_BITS: u32 = 2048;
const MAX_MODULUS_BITS: u32 = 8192;
/// Octets of the longest exponent: 33 bits, as the cryptographic library has it.
const MAX_EXPONENT_BYTES: usize = 5;

/// A public key.
struct Key<'a> {
    modulus: &'a [u8],
    exponent: &'a [u8],
}

/// The length of a key's modulus in bits.
pub(super) fn bits(key: &[u8]) -> Result<u32, Malformed> {
    Key::read(key)?.bits()
}

/// Checks a signature with the padding of PKCS #1 v1.5.
pub(super) fn verify_pkcs1(
    key: &[u8],
    algorithm: DigestAlgorithm,
    digest: &[u8],
    signature: &[u8],
) -> Result<(), CmsError> {
    let (encoded, _) = Key::read(key)?.recover(signature)?;
    let mut info = Vec::with_capacity(96);
    write_der::nested(&mut info, SEQUENCE, |out| {
        write_der::nested(out, SEQUENCE, |out| {
            write_der::oid(out, &algorithm.oid());
            out.extend_from_slice(&NULL);
        });
        write_der::value(out, OCTET_STRING, digest);
    });
    let padding = encoded
        .len()
        .checked_sub(info.len() + 3)
        .filter(|length| *length >= 8);
    let padding = padding.ok_or(CmsError::BadSignature)?;
    let expected = [&[0, 1], &vec![0xff; padding][..], &[0], &info].concat();
    if encoded == expected {
        Ok(())
    } else {
        Err(CmsError::BadSignature)
    }
}

/// Checks a signature of RSASSA-PSS: EMSA-PSS-VERIFY of RFC 8017, section 9.1.2.
pub(super) fn verify_pss(
    key: &[u8],
    algorithm: DigestAlgorithm,
    mask: DigestAlgorithm,
    salt: usize,
    digest: &[u8],
    signature: &[u8],
) -> Result<(), CmsError> {
    let (encoded, bits) = Key::read(key)?.recover(signature)?;
    let length = (bits as usize - 1).div_ceil(8);
    let encoded = encoded
        .get(encoded.len() - length..)
        .ok_or(CmsError::BadSignature)?;
    if check_pss(encoded, bits - 1, algorithm, mask, salt, digest) == Some(true) {
        Ok(())
    } else {
        Err(CmsError::BadSignature)
    }
}

fn check_pss(
    encoded: &[u8],
    bits: u32,
    algorithm: DigestAlgorithm,
    mask: DigestAlgorithm,
    salt: usize,
    digest: &[u8],
) -> Option<bool> {
    let (rest, trailer) = encoded.split_at_checked(encoded.len().checked_sub(1)?)?;
    let (masked, hash) = rest.split_at_checked(rest.len().checked_sub(algorithm.output_len())?)?;
    let zeros = masked.len().checked_sub(salt + 1)?;
    // The bits of the first octet that are above the modulus.
    let above = u32::try_from(encoded.len() * 8).ok()?.checked_sub(bits)?;
    let unused = 0xff_u8.checked_shr(8_u32.checked_sub(above)?).unwrap_or(0);
    let unused = unused.reverse_bits();
    if trailer != [0xbc] || masked.first()? & unused != 0 {
        return Some(false);
    }
    let stream = mgf1(mask, hash, masked.len());
    let mut block: Vec<u8> = masked
        .iter()
        .zip(stream)
        .map(|(one, other)| one ^ other)
        .collect();
    *block.first_mut()? &= !unused;
    let (padding, tail) = block.split_at_checked(zeros)?;
    let (separator, salt) = tail.split_first()?;
    if padding.iter().any(|octet| *octet != 0) || *separator != 1 {
        return Some(false);
    }
    let message = [&[0; 8][..], digest, salt].concat();
    Some(algorithm.hash(&message) == hash)
}

/// The mask generation function MGF1.
fn mgf1(digest: DigestAlgorithm, seed: &[u8], length: usize) -> Vec<u8> {
    let mut mask = Vec::with_capacity(length + digest.output_len());
    let mut counter: u32 = 0;
    while mask.len() < length {
        mask.extend(digest.hash(&[seed, &counter.to_be_bytes()].concat()));
        counter += 1;
    }
    mask.truncate(length);
    mask
}

impl<'a> Key<'a> {
    fn read(key: &'a [u8]) -> Result<Self, Malformed> {
        let mut fields = Values::of_sequence(key, WHAT)?;
        let mut number = || {
            let contents = fields.expect(Tag::Integer, WHAT)?.contents;
            Ok(contents.strip_prefix(&[0]).unwrap_or(contents))
        };
        let (modulus, exponent) = (number()?, number()?);
        fields.end(WHAT)?;
        Ok(Self { modulus, exponent })
    }

    fn bits(&self) -> Result<u32, Malformed> {
        let first = self.modulus.first().ok_or(Malformed(WHAT))?;
        let octets = u32::try_from(self.modulus.len()).map_err(|_| Malformed(WHAT))?;
        Ok(octets.saturating_mul(8) - first.leading_zeros())
    }

    /// The encoded message in a signature, as long as the modulus, and the modulus' bits.
    fn recover(&self, signature: &[u8]) -> Result<(Vec<u8>, u32), CmsError> {
        let bits = self.bits()?;
        let is_odd = |number: &[u8]| number.last().is_some_and(|last| last & 1 == 1);
        let exponent_fits =
            self.exponent.len() <= MAX_EXPONENT_BYTES && self.exponent != [1] && is_odd(self.exponent);
        if !(MIN_MODULUS_BITS..=MAX_MODULUS_BITS).contains(&bits)
            || !exponent_fits
            || signature.len() != self.modulus.len()
        {
            return Err(CmsError::BadSignature);
        }
        let number = |octets: &[u8]| {
            let precision = bits.next_multiple_of(64);
            BoxedUint::from_be_slice(octets, precision).map_err(|_| CmsError::BadSignature)
        };
        let (modulus, exponent, signature) =
            (number(self.modulus)?, number(self.exponent)?, number(signature)?);
        if signature >= modulus {
            return Err(CmsError::BadSignature);
        }
        let modulus = Odd::new(modulus).into_option().ok_or(CmsError::BadSignature)?;
        let parameters = BoxedMontyParams::new_vartime(modulus);
        let precision = u32::try_from(self.exponent.len() * 8).unwrap_or(u32::MAX);
        let message = BoxedMontyForm::new(signature, &parameters)
            .pow_bounded_exp(&exponent, precision)
            .retrieve();
        let octets = message.to_be_bytes();
        let at = octets
            .len()
            .checked_sub(self.modulus.len())
            .ok_or(CmsError::BadSignature)?;
        Ok((octets[at..].to_vec(), bits))
    }
}
