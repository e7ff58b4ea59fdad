//! Revocation data of other authorities in a file: OCSP responses in the security store, in Adobe's attribute, and
//! beside the certificates of a signature.

use aws_lc_rs::rand::SystemRandom;
use data_encoding::HEXLOWER_PERMISSIVE;
use jiff::{SignedDuration, Timestamp};
use pades::sign::sign;
use pades::verify::{FileVerdict, Level, Policy, Reason, Report, Verdict, verify};
use pdf::increment::{Increment, edit};
use pki::cms::Certificate;
use pki::time::{Imprint, TimeStampRequest};

use crate::build::Doc;
use crate::cms_tools::{OpenSsl, P256, SIGNING, run};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible};

/// pyHanko asks for the state of certificates that name a responder.
const RESPONDER: &str = "authorityInfoAccess=OCSP;URI:http://ocsp.example\n";
const GOOD: &str = "V\t360101000000Z\t";

/// Another authority, and a contract that a signer of it has signed.
struct Foreign {
    tools: OpenSsl,
    root: Certificate,
    signer: Certificate,
    paper: PreparedPdf,
}

impl Foreign {
    fn new() -> Self {
        let tools = OpenSsl::new();
        let root = tools.certificate("ca");
        let signer = tools.signer("ana", P256, &format!("{SIGNING}{RESPONDER}"));
        let paper = PreparedPdf::new(Doc::contract(1).table());
        let unsigned = sign(&paper.state, &invisible("Firma")).unwrap();
        let to_sign = unsigned.by(&signer).unwrap();
        tools.write("digest", &to_sign.digest());
        tools.run(&[
            "pkeyutl",
            "-sign",
            "-inkey",
            "ana.key",
            "-in",
            "digest",
            "-out",
            "signature",
        ]);
        let finished = to_sign.finish(&tools.read("signature"), &[], None).unwrap();
        Self {
            root,
            signer,
            paper: paper.append(finished),
            tools,
        }
    }

    /// Now, as the certificates of the test see it.
    fn now(&self) -> Timestamp {
        self.signer.not_before() + SignedDuration::from_mins(1)
    }

    /// The authority's answer about the signer, whose line of the database begins with this state.
    fn response(&self, state: &str) -> Vec<u8> {
        let serial = self.tools.run(&["x509", "-in", "ana.pem", "-noout", "-serial"]);
        let serial = serial.trim().strip_prefix("serial=").unwrap().to_owned();
        let line = format!("{state}\t{serial}\tunknown\t/CN=ana\n");
        self.tools.write("index.txt", line.as_bytes());
        let ask = "ocsp -index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key -issuer ca.pem -cert ana.pem -ndays 30 \
                   -respout response.der";
        self.tools.run(&ask.split_whitespace().collect::<Vec<_>>());
        self.tools.read("response.der")
    }

    /// The contract with a response in its security store.
    fn with_response(&self, response: &[u8]) -> PreparedPdf {
        let mut increment = Increment::new(&self.paper.state);
        let root = increment.append_state.root;
        let item = increment.allocate();
        increment.write_stream(item, b"", response);
        let store = format!("<</Type/DSS/OCSPs[{} 0 R]>>", item.number);
        let catalog = increment.object(root).unwrap().to_vec();
        increment.restate(root, edit(&catalog, &[("DSS", store.as_bytes())]).unwrap());
        let appended = increment.append(&self.paper.state).unwrap();
        self.paper.clone().append(appended)
    }

    /// The contract with a response among the revocation information of its signature, which nothing signs.
    fn with_response_in_signature(&self, response: &[u8]) -> PreparedPdf {
        let mut paper = self.paper.clone();
        let before = b"/Contents<";
        let place = paper.bytes.windows(before.len()).rposition(|part| part == before);
        let start = place.unwrap() + before.len();
        let room = paper.bytes[start..]
            .iter()
            .position(|byte| *byte == b'>')
            .unwrap();
        let cms = HEXLOWER_PERMISSIVE
            .decode(&paper.bytes[start..start + room])
            .unwrap();
        let outer = inside(&cms);
        let mut fields = inside(inside(outer[1])[0]);
        let signers = fields.pop().unwrap();
        let other = value(0xa1, &[OCSP_REVOCATION_INFO, response].concat());
        let data = [&fields.concat()[..], &value(0xa1, &other), signers].concat();
        let tagged = value(0xa0, &value(0x30, &data));
        let cms = value(0x30, &[outer[0], &tagged].concat());
        let mut digits = HEXLOWER_PERMISSIVE.encode(&cms).into_bytes();
        assert!(digits.len() <= room);
        digits.resize(room, b'0');
        paper.bytes[start..start + room].copy_from_slice(&digits);
        paper
    }

    fn verified(&self, paper: &PreparedPdf, now: Timestamp) -> Report {
        let roots = std::slice::from_ref(&self.root);
        verify(
            &paper.bytes,
            &Policy {
                other_roots: roots,
                ..Policy::new(&[], now)
            },
        )
    }
}

/// The object identifier of a response among revocation information (RFC 5940), in DER.
const OCSP_REVOCATION_INFO: &[u8] = &[6, 8, 0x2b, 6, 1, 5, 5, 7, 0x10, 2];

/// The lengths of the header and of the contents of a value in DER.
fn lengths(value: &[u8]) -> (usize, usize) {
    match value[1] {
        long @ 0x81.. => {
            let end = 2 + usize::from(long & 0x7f);
            let octets = value[2..end].iter();
            (
                end,
                octets.fold(0, |length, octet| length << 8 | usize::from(*octet)),
            )
        }
        short => (2, short.into()),
    }
}

/// The values inside a value in DER.
fn inside(value: &[u8]) -> Vec<&[u8]> {
    let (start, length) = lengths(value);
    let mut rest = &value[start..start + length];
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (start, length) = lengths(rest);
        let (one, after) = rest.split_at(start + length);
        found.push(one);
        rest = after;
    }
    found
}

/// A value in DER with long contents.
fn value(tag: u8, contents: &[u8]) -> Vec<u8> {
    assert!(contents.len() > 255, "its length takes two octets");
    let length = u16::try_from(contents.len()).unwrap().to_be_bytes();
    [&[tag, 0x82][..], &length, contents].concat()
}

#[test]
fn responses_beside_the_certificates_of_a_signature_are_found() {
    let foreign = Foreign::new();
    let now = foreign.now();
    let good = foreign.with_response_in_signature(&foreign.response(GOOD));
    let report = foreign.verified(&good, now);
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
    let revoked = foreign.response("R\t360101000000Z\t260201000000Z,keyCompromise");
    let report = foreign.verified(&foreign.with_response_in_signature(&revoked), now);
    let since = "2026-02-01T00:00:00Z".parse().unwrap();
    assert_eq!(report.signatures[0].reasons, [Reason::Revoked(since)]);
}

#[test]
fn the_state_that_a_response_in_the_file_tells_is_believed() {
    let foreign = Foreign::new();
    let now = foreign.now();
    let report = foreign.verified(&foreign.paper, now);
    assert_eq!(
        report.verdict,
        FileVerdict::Indeterminate,
        "nothing tells of a foreign authority"
    );
    assert_eq!(report.signatures[0].reasons, [Reason::ForeignRevocationUnknown]);
    assert!(!report.lacks_only_issuer());

    let good = foreign.with_response(&foreign.response(GOOD));
    let report = foreign.verified(&good, now);
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
    let late = now + SignedDuration::from_hours(24 * 40);
    let report = foreign.verified(&good, late);
    assert_eq!(
        report.signatures[0].reasons,
        [Reason::ForeignRevocationUnknown],
        "it is too old"
    );

    let since = "2026-02-01T00:00:00Z".parse().unwrap();
    let revoked = foreign.response("R\t360101000000Z\t260201000000Z,keyCompromise");
    let report = foreign.verified(&foreign.with_response(&revoked), now);
    assert_eq!(report.verdict, FileVerdict::Invalid);
    assert_eq!(report.signatures[0].reasons, [Reason::Revoked(since)]);

    let mut forged = revoked;
    let last = forged.len() - 1;
    forged[last] ^= 1;
    let report = foreign.verified(&foreign.with_response(&forged), now);
    assert_ne!(
        report.signatures[0].verdict,
        Verdict::Valid,
        "a forged answer proves nothing"
    );
}

#[test]
fn a_response_still_counts_after_its_end_under_a_timestamp() {
    let foreign = Foreign::new();
    let clock = Person::new("Reloj");
    let now = foreign.now();
    let paper = foreign.with_response(&foreign.response(GOOD));
    let unsigned = pades::sign::timestamp(&paper.state, "Tiempo", 4096).unwrap();
    let request = TimeStampRequest::without_nonce(Imprint::sha256(unsigned.digest()));
    let token = clock.clock().stamp(&request, now, &SystemRandom::new()).unwrap();
    let paper = paper.append(unsigned.embed(&token).unwrap());
    let (roots, time_roots) = ([foreign.root.clone()], clock.roots());
    let policy = Policy {
        other_roots: &roots,
        time_roots: &time_roots,
        ..Policy::new(&[], now + SignedDuration::from_hours(24 * 400))
    };
    let report = verify(&paper.bytes, &policy);
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
    assert_eq!(report.signatures[0].level, Some(Level::Lta));
}

#[test]
fn responses_that_pyhanko_embeds_are_found() {
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    let foreign = Foreign::new();
    foreign.response(GOOD);
    let tools = &foreign.tools;
    tools.write("embed.py", include_bytes!("embed.py"));
    for kind in ["adobe", "pades"] {
        tools.write("paper.pdf", &Doc::contract(1).table());
        run(tools.path(), &python, &["embed.py", kind, "paper.pdf"]);
        let roots = std::slice::from_ref(&foreign.root);
        let policy = Policy {
            other_roots: roots,
            ..Policy::new(&[], foreign.now())
        };
        let report = verify(&tools.read("paper.pdf"), &policy);
        assert_eq!(report.verdict, FileVerdict::Valid, "{kind}: {report:#?}");
    }
}
