//! Evidence under an authority of the test's own: whose seal counts, and when it was made.

use super::TestFiles;
use super::bundles::story;
use crate::support::block_on;
use app::Clock;
use aws_lc_rs::rand::SystemRandom;
use data_encoding::{BASE64, BASE64_MIME};
use domain::event::{hash_after, hex};
use jiff::{SignedDuration, Timestamp};
use pki::authority::{Credential, Issuer, LocalKey, Role, Root, Subject, Validity};
use pki::cms::Certificate;
use pki::time::{BASELINE_POLICY, Imprint, TimeStampAuthority, TimeStampRequest};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;

type Key = Arc<LocalKey>;

/// An authority that looks like an installation's.
pub(super) struct Forger {
    root: Root,
    issuer: Issuer,
    issuer_key: Key,
    service: Credential<Key>,
    stamping: Certificate,
    clock: TimeStampAuthority<Key>,
}

fn key() -> Key {
    Arc::new(LocalKey::generate().unwrap())
}

fn years(years: u32) -> Validity {
    Validity::of_years("2020-01-01T00:00:00Z".parse().unwrap(), years).unwrap()
}

impl Forger {
    pub(super) fn new() -> Self {
        let random = SystemRandom::new();
        let subject = |name| Subject::of_installation(name, Some("Firmeza"), None).unwrap();
        let root = Root::create(key(), &subject("Raíz"), years(40), &random).unwrap();
        let issuer_key = key();
        let issuer = root.issuer(issuer_key.clone(), &subject("Firmantes"), years(30), &random);
        let issuer = issuer.unwrap();
        let made = |role, name| {
            let made = issuer.credential(role, key(), &subject(name), years(20), &random);
            made.unwrap()
        };
        let stamping = made(Role::TimeStamping, "Tiempo");
        Self {
            service: made(Role::Service, "Servicio"),
            stamping: stamping.certificate().clone(),
            clock: TimeStampAuthority::new(stamping, BASELINE_POLICY).unwrap(),
            root,
            issuer,
            issuer_key,
        }
    }

    pub(super) fn root(&self) -> Vec<u8> {
        self.root.certificate().as_der().to_vec()
    }

    /// The evidence sealed by this authority's service, now.
    pub(super) fn seal(&self, evidence: Value) -> Vec<u8> {
        self.seal_by(&self.service, evidence, now())
    }

    fn seal_by(&self, service: &Credential<Key>, mut evidence: Value, at: Timestamp) -> Vec<u8> {
        let certificates = [
            ("root", self.root.certificate()),
            ("issuer", self.issuer.certificate()),
            ("service", service.certificate()),
            ("time_stamping", &self.stamping),
        ];
        let facts = |(role, one): (&str, &Certificate)| {
            json!({
                "role": role, "subject": one.subject(), "not_before": one.not_before().to_string(),
                "not_after": one.not_after().to_string(), "sha256": hex(one.sha256()),
                "der": BASE64.encode(one.as_der()),
            })
        };
        evidence["certificates"] = certificates.map(facts).to_vec().into();
        let text = evidence.to_string();
        let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let signed = service.sign(&digest).unwrap();
        let imprint = Imprint::sha256(&signed.timestamp_digest());
        let request = TimeStampRequest::without_nonce(imprint);
        let token = self.clock.stamp(&request, at, &SystemRandom::new()).unwrap();
        let cms = BASE64.encode(&signed.finish(Some(&token)));
        format!(
            r#"{{"evidence":{text},"seal":{{"sha256":"{}","cms":"{cms}"}}}}"#,
            hex(&digest)
        )
        .into_bytes()
    }
}

fn now() -> Timestamp {
    Timestamp::from_microsecond(Clock::System.now().as_micros()).unwrap()
}

/// Certificates as one file.
pub(super) fn pem(certificates: &[&[u8]]) -> String {
    let one = |der: &&[u8]| {
        let lines = BASE64_MIME.encode(der);
        format!(
            "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
            lines.trim_end()
        )
    };
    certificates.iter().map(one).collect()
}

/// Changes a word in every event and in the values beside it, and makes digests and chain fit.
pub(super) fn rechain(evidence: &mut Value, from: &str, to: &str) {
    let mut before = [0; 32];
    let events = evidence["history"]["events"].as_array_mut().unwrap();
    for event in events {
        let body = event["body"].as_str().unwrap().replace(from, to);
        let mut body: Value = serde_json::from_str(&body).unwrap();
        for value in event["values"].as_array_mut().unwrap() {
            let changed = value["value"].as_str().unwrap().replace(from, to);
            let salt = data_encoding::HEXLOWER
                .decode(value["salt"].as_str().unwrap().as_bytes())
                .unwrap();
            let digest: [u8; 32] = Sha256::digest([&salt, changed.as_bytes()].concat()).into();
            *body.pointer_mut(value["at"].as_str().unwrap()).unwrap() = json!({ "digest": hex(&digest) });
            value["value"] = json!(changed);
        }
        let body = body.to_string();
        before = hash_after(&before, &body);
        event["body"] = json!(body);
        event["hash"] = json!(hex(&before));
    }
    evidence["history"]["head"] = json!(hex(&before));
    for signer in evidence["signers"].as_array_mut().unwrap() {
        for fact in ["name", "address"] {
            if signer[fact] == from {
                signer[fact] = json!(to);
            }
        }
    }
}

#[test]
fn a_seal_is_the_services_and_of_its_time() {
    let story = block_on(story());
    let forger = Forger::new();
    let root = forger.root();
    let test_files = TestFiles::new(&[("root.crt", &root)]);
    let faults = |service: &Credential<Key>, at: Timestamp| -> Vec<String> {
        let sealed = forger.seal_by(service, story.bundle["evidence"].clone(), at);
        test_files.put("evidencia.json", &sealed);
        let found = test_files.verify_json(&["--root", "root.crt", "evidencia.json"]);
        let faults = found["files"][0]["faults"].as_array().unwrap();
        let name = |fault: &Value| fault["name"].as_str().unwrap().to_owned();
        faults.iter().map(name).collect()
    };
    assert_eq!(faults(&forger.service, now()), Vec::<String>::new());
    assert_eq!(
        faults(&forger.service, now() + SignedDuration::from_hours(1)),
        ["seal_future"]
    );
    let before: Timestamp = "2026-03-02T14:00:00Z".parse().unwrap();
    assert_eq!(
        faults(&forger.service, before),
        ["seal_older"],
        "its events are of 14:30 and later"
    );

    let random = SystemRandom::new();
    let subject = Subject::of_installation("Otro", Some("Firmeza"), None).unwrap();
    let clock = forger
        .issuer
        .credential(Role::TimeStamping, key(), &subject, years(20), &random);
    assert_eq!(faults(&clock.unwrap(), now()), ["seal_purpose"]);
    let authority = Credential::new(
        forger.issuer.certificate().clone(),
        Vec::new(),
        forger.issuer_key.clone(),
    );
    assert_eq!(faults(&authority.unwrap(), now()), ["seal_purpose"]);
    let expired = Validity::new(
        "2020-01-01T00:00:00Z".parse().unwrap(),
        "2021-01-01T00:00:00Z".parse().unwrap(),
    );
    let expired = forger
        .issuer
        .credential(Role::Service, key(), &subject, expired.unwrap(), &random);
    let expired = expired.unwrap();
    assert_eq!(faults(&expired, now()), ["seal_untrusted"]);
    assert_eq!(
        faults(&expired, "2020-06-01T00:00:00Z".parse().unwrap()),
        ["seal_older"]
    );
}
