//! Timestamps against `openssl ts`, both ways.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority_tools;
mod cms_tools;
mod time_tools;

use authority_tools::{authority, now, person, rng, years};
use cms_tools::{OpenSsl, P256, RSA, run};
use jiff::Timestamp;
use pki::authority::{LocalKey, PathError, Role};
use pki::cms::{CmsError, DigestAlgorithm, Profile, SignedData};
use pki::time::{
    BASELINE_POLICY, FailureInfo, Imprint, Inquiry, ObjectIdentifier, TimeStampAuthority, TimeStampRequest,
    TimeStampToken, TimeStampTokenError, token_of,
};
use sha2::{Digest as _, Sha256};
use time_tools::stamping;

const AT: &str = "1794830400";
const DOCUMENT: &[u8] = b"%PDF-1.7 a document";
const CONFIGURATION: &str = "[tsa]
default_tsa=one
[one]
serial=serial
crypto_device=builtin
signer_digest=sha256
default_policy=1.2.3.4.1
other_policies=1.2.3.4.5
digests=sha256,sha384,sha512
accuracy=secs:1,millisecs:500,microsecs:100
clock_precision_digits=3
ordering=yes
tsa_name=yes
ess_cert_id_chain=no
";

fn imprint() -> Imprint {
    Imprint::of(DigestAlgorithm::Sha256, DOCUMENT)
}

fn line(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn openssl_accepts_our_timestamps() {
    for key in [LocalKey::generate().unwrap(), LocalKey::generate_rsa().unwrap()] {
        let tools = OpenSsl::new();
        let authority = authority();
        for (name, certificate) in [
            ("root", authority.root().certificate()),
            ("issuer", authority.issuer().certificate()),
        ] {
            tools.write(&format!("{name}.der"), certificate.as_der());
            tools.run(&line(&format!("x509 -inform DER -in {name}.der -out {name}.pem")));
        }
        let tsa = stamping(&authority, key);
        tools.write("document", DOCUMENT);
        for options in [
            "-sha256 -cert",
            "-sha384 -cert",
            "-sha512 -cert -no_nonce",
            "-sha256 -cert -tspolicy 0.4.0.2023.1.1",
        ] {
            tools.run(&line(&format!("ts -query -data document -out query {options}")));
            tools.write("reply", &tsa.answer(&tools.read("query"), now(), &rng()));
            let verify = format!("ts -verify -in reply -CAfile root.pem -untrusted issuer.pem -attime {AT}");
            assert!(
                tools
                    .run(&line(&format!("{verify} -queryfile query")))
                    .contains("Verification: OK"),
                "{options}"
            );
            tools.run(&line(&format!("{verify} -data document")));
            let shown = tools.run(&line("ts -reply -in reply -text"));
            assert!(
                shown.contains("Nov 15 12:00:00 2026 GMT") && shown.contains("0x01 seconds"),
                "{shown}"
            );
        }
    }
}

#[test]
fn openssl_understands_our_refusals() {
    let tools = OpenSsl::new();
    let tsa = stamping(&authority(), LocalKey::generate().unwrap());
    tools.write("document", DOCUMENT);
    let cases = [
        (
            "-sha1",
            FailureInfo::BadAlgorithm,
            "unrecognized or unsupported algorithm",
        ),
        (
            "-sha256 -tspolicy 1.2.3",
            FailureInfo::UnacceptedPolicy,
            "requested TSA policy is not supported",
        ),
    ];
    for (options, failure, words) in cases {
        tools.run(&line(&format!("ts -query -data document -out query {options}")));
        let reply = tsa.answer(&tools.read("query"), now(), &rng());
        tools.write("reply", &reply);
        let shown = tools.run(&line("ts -reply -in reply -text"));
        assert!(shown.contains("Rejected") && shown.contains(words), "{shown}");
        let Err(TimeStampTokenError::Rejected(rejection)) = token_of(&reply) else {
            panic!("{options}")
        };
        assert_eq!((rejection.status, rejection.failure), (2, Some(failure)));
    }
    let noise = tsa.answer(b"noise", now(), &rng());
    assert!(
        matches!(token_of(&noise), Err(TimeStampTokenError::Rejected(r)) if r.failure == Some(FailureInfo::BadDataFormat))
    );
    let late = tsa.stamp(
        &TimeStampRequest::without_nonce(imprint()),
        Timestamp::MAX,
        &rng(),
    );
    assert_eq!(late, Err(FailureInfo::TimeNotAvailable));
}

/// openssl as the authority: with SHA-1 and SHA-256 references to its certificate, P-256 and RSA.
#[test]
fn timestamps_of_openssl_are_accepted() {
    let usage = "keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\n";
    let tools = OpenSsl::new();
    let policy = ObjectIdentifier::new_unwrap("1.2.3.4.5");
    for (signer, key) in [("tsa1", P256), ("tsa2", RSA)] {
        tools.signer(signer, key, usage);
        for reference in ["sha1", "sha256", "sha384"] {
            let files =
                format!("signer_cert=$dir/{signer}.pem\nsigner_key=$dir/{signer}.key\ncerts=$dir/ca.pem\n");
            let files = files.replace("$dir", tools.path().to_str().unwrap());
            tools.write(
                "settings",
                format!("{CONFIGURATION}{files}ess_cert_id_alg={reference}\n").as_bytes(),
            );
            tools.write("serial", b"01");
            let inquiry = Inquiry::new(imprint(), Some(policy), &rng()).unwrap();
            tools.write("query", &inquiry.to_der());
            tools.run(&line("ts -reply -config settings -queryfile query -out reply"));
            let response = tools.read("reply");
            let clock = run(tools.path(), "date", &["+%s"]).trim().parse().unwrap();
            let clock = Timestamp::from_second(clock).unwrap();
            let stamped = inquiry.accept(&response, clock).unwrap();
            assert_eq!(stamped.stamp.policy, policy);
            assert_eq!(stamped.stamp.accuracy.unwrap().as_micros(), 1_500_100);
            let root = [tools.certificate("ca")];
            assert_eq!(stamped.stamp.path(&[], &root).unwrap().certificates().len(), 2);
            let other = [authority().root().certificate().clone()];
            assert_eq!(stamped.stamp.path(&[], &other), Err(PathError::NoIssuer));
            let again = Inquiry::new(imprint(), Some(policy), &rng()).unwrap();
            assert_eq!(again.accept(&response, clock), Err(TimeStampTokenError::Nonce));
            let tomorrow = clock + jiff::SignedDuration::from_hours(24);
            assert_eq!(
                inquiry.accept(&response, tomorrow),
                Err(TimeStampTokenError::Clock)
            );
        }
    }
}

#[test]
fn another_policy_or_document_is_refused() {
    let tsa = stamping(&authority(), LocalKey::generate().unwrap());
    let inquiry = Inquiry::new(imprint(), Some(BASELINE_POLICY), &rng()).unwrap();
    let reply = tsa.answer(&inquiry.to_der(), now(), &rng());
    let stamped = inquiry.accept(&reply, now()).unwrap();
    assert_eq!(
        (stamped.stamp.time, stamped.stamp.policy),
        (now(), BASELINE_POLICY)
    );
    let token = TimeStampToken::from_der(&stamped.token).unwrap();
    assert_eq!(
        token.verify(&Sha256::digest(b"another")),
        Err(TimeStampTokenError::Imprint)
    );
    assert_eq!(token.verify(b""), Err(TimeStampTokenError::Imprint));
}

/// A signature with a timestamp of its own, and a document timestamp in its padding.
#[test]
fn tokens_travel_in_signatures_and_documents() {
    let authority = authority();
    let tsa = stamping(&authority, LocalKey::generate().unwrap());
    let digest = Sha256::digest(DOCUMENT).into();
    let one_shot = authority
        .issuer()
        .one_shot(&person("Ana", "1"), years(5), &rng())
        .unwrap();
    let frame = one_shot.reserve(0);
    let signed = one_shot.sign(&digest).unwrap();
    let request = TimeStampRequest::without_nonce(Imprint::sha256(&signed.timestamp_digest()));
    let token = tsa.stamp(&request, now(), &rng()).unwrap();
    let cms = signed.finish(Some(&token));
    assert!(cms.len() <= frame + token.len());
    let room = tsa.reserve();
    assert!(
        token.len() <= room && room < token.len() + 256,
        "{} in {room}",
        token.len()
    );

    let parsed = SignedData::parse(&cms).unwrap();
    parsed.verify_detached(&digest, Profile::Cades).unwrap();
    assert_eq!(parsed.timestamps().unwrap(), std::slice::from_ref(&token));
    let read = TimeStampToken::from_der(&token).unwrap();
    let stamp = read
        .verify(&read.digest_algorithm().hash(parsed.signature()))
        .unwrap();
    stamp
        .path(&[], &[authority.root().certificate().clone()])
        .unwrap();

    let padded = [token.as_slice(), &[0; 5000]].concat();
    TimeStampToken::from_der(&padded)
        .unwrap()
        .verify(&Sha256::digest(parsed.signature()))
        .unwrap();
}

/// A certificate that is not for timestamps alone cannot give any, nor can one outside its dates.
#[test]
fn only_a_timestamping_certificate_counts() {
    let authority = authority();
    let key = LocalKey::generate().unwrap();
    let subject = authority_tools::installation("Servicio");
    let service = authority
        .issuer()
        .credential(Role::Service, key, &subject, years(1), &rng())
        .unwrap();
    assert!(TimeStampAuthority::new(service, BASELINE_POLICY).is_err());

    let tools = OpenSsl::new();
    tools.signer("plain", P256, cms_tools::SIGNING);
    let tsa = stamping(&authority, LocalKey::generate().unwrap());
    let token = tsa
        .stamp(&TimeStampRequest::without_nonce(imprint()), now(), &rng())
        .unwrap();
    tools.write("token", &token);
    tools.run(&line("cms -verify -noverify -inform DER -in token -out info"));
    let sign =
        "cms -sign -binary -nodetach -cades -econtent_type 1.2.840.113549.1.9.16.1.4 -in info -outform DER";
    tools.run(&line(&format!(
        "{sign} -signer plain.pem -inkey plain.key -out forged"
    )));
    let forged = TimeStampToken::from_der(&tools.read("forged")).unwrap();
    assert_eq!(
        forged.verify(imprint().digest()),
        Err(TimeStampTokenError::Purpose)
    );
    tools.run(&line(&format!(
        "{sign} -nocerts -signer plain.pem -inkey plain.key -out bare"
    )));
    let bare = TimeStampToken::from_der(&tools.read("bare")).unwrap();
    assert_eq!(
        bare.verify(imprint().digest()),
        Err(TimeStampTokenError::Cms(CmsError::SignerCertificateMissing))
    );
}
