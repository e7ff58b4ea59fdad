//! The object identifiers of CMS, X.509 and RFC 3161 that this crate speaks.

use der::asn1::ObjectIdentifier;

macro_rules! oids {
    ($($name:ident = $dotted:literal;)+) => {
        $(pub(crate) const $name: ObjectIdentifier = ObjectIdentifier::new_unwrap($dotted);)+
    };
}

oids! {
    DATA = "1.2.840.113549.1.7.1";
    SIGNED_DATA = "1.2.840.113549.1.7.2";
    TST_INFO = "1.2.840.113549.1.9.16.1.4";

    CONTENT_TYPE = "1.2.840.113549.1.9.3";
    MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
    SIGNING_TIME = "1.2.840.113549.1.9.5";
    SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12";
    SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
    SIGNATURE_TIMESTAMP = "1.2.840.113549.1.9.16.2.14";
    ADOBE_REVOCATION = "1.2.840.113583.1.1.8";

    SHA_256 = "2.16.840.1.101.3.4.2.1";
    SHA_384 = "2.16.840.1.101.3.4.2.2";
    SHA_512 = "2.16.840.1.101.3.4.2.3";
    SHA_1 = "1.3.14.3.2.26";
    MD5 = "1.2.840.113549.2.5";

    RSA = "1.2.840.113549.1.1.1";
    MD5_WITH_RSA = "1.2.840.113549.1.1.4";
    SHA_1_WITH_RSA = "1.2.840.113549.1.1.5";
    MGF1 = "1.2.840.113549.1.1.8";
    RSA_PSS = "1.2.840.113549.1.1.10";
    SHA_256_WITH_RSA = "1.2.840.113549.1.1.11";
    SHA_384_WITH_RSA = "1.2.840.113549.1.1.12";
    SHA_512_WITH_RSA = "1.2.840.113549.1.1.13";

    EC_PUBLIC_KEY = "1.2.840.10045.2.1";
    P_256 = "1.2.840.10045.3.1.7";
    P_384 = "1.3.132.0.34";
    ECDSA_WITH_SHA_1 = "1.2.840.10045.4.1";
    ECDSA_WITH_SHA_256 = "1.2.840.10045.4.3.2";
    ECDSA_WITH_SHA_384 = "1.2.840.10045.4.3.3";
    ECDSA_WITH_SHA_512 = "1.2.840.10045.4.3.4";

    SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
    KEY_USAGE = "2.5.29.15";
    BASIC_CONSTRAINTS = "2.5.29.19";
    CRL_NUMBER = "2.5.29.20";
    REASON_CODE = "2.5.29.21";
    ISSUING_DISTRIBUTION_POINT = "2.5.29.28";
    CRL_DISTRIBUTION_POINTS = "2.5.29.31";
    CERTIFICATE_POLICIES = "2.5.29.32";
    AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
    EXTENDED_KEY_USAGE = "2.5.29.37";
    SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
    CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
    TIME_STAMPING = "1.3.6.1.5.5.7.3.8";

    COMMON_NAME = "2.5.4.3";
    SURNAME = "2.5.4.4";
    SERIAL_NUMBER = "2.5.4.5";
    COUNTRY = "2.5.4.6";
    ORGANIZATION = "2.5.4.10";
    ORGANIZATIONAL_UNIT = "2.5.4.11";
    NAME = "2.5.4.41";
    GIVEN_NAME = "2.5.4.42";
    ORGANIZATION_IDENTIFIER = "2.5.4.97";
}
