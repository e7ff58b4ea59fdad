//! Signatures that outlive their certificates: timestamps, validation data, document timestamps.

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use jiff::{SignedDuration, Timestamp};
use pades::sign::{NewSignature, Permission, add_validation_data, sign};
use pades::verify::{FileVerdict, Level, Policy, Reason, Report, Verdict, embedded_roots, verify};
use pdf::Limits;
use pki::authority::{Credential, Crl, LocalKey, PathError, Reason as Why, Revoked, Role, Signer, Subject};
use pki::cms::Anchor;
use pki::time::TimeStampTokenError;

use crate::build::{DIALECTS, Doc, Xref};
use crate::cms_tools::run;
use crate::people::{Person, validity};
use crate::signing::{PreparedPdf, invisible, prepared, time};
use crate::tools::{self, ToolVerdict};
use crate::verifying::assert_valid;

fn later() -> Timestamp {
    "2029-06-01T00:00:00Z".parse().unwrap()
}

fn verified(paper: &PreparedPdf, person: &Person, now: Timestamp) -> Report {
    verify(&paper.bytes, &Policy::new(&person.roots(), now))
}

/// Certified, approved twice, with validation data and a timestamp over all.
fn lasting(person: &Person, dialect: Xref) -> PreparedPdf {
    let certify = NewSignature {
        certify: Some(Permission::FillAndSign),
        reserve: 8192,
        ..invisible("Certifica")
    };
    let roomy = |name| NewSignature {
        reserve: 8192,
        ..invisible(name)
    };
    PreparedPdf::new(Doc::contract(2).write(dialect))
        .signed_at(person, &certify, time())
        .signed_at(person, &roomy("Firma1"), time())
        .signed_at(person, &roomy("Firma2"), time())
        .with_validation_data(person, &[])
        .stamped(person, "Archivo1", time())
}

#[test]
fn validation_data_that_is_there_is_not_added_again() {
    let person = Person::new("Ana");
    let lists = person.lists(&[]);
    let issuer = person.issuer.certificate().as_der();
    for dialect in DIALECTS {
        let paper = PreparedPdf::new(Doc::contract(1).write(dialect)).signed(&person, &invisible("Firma"));
        let first = add_validation_data(&paper.state, &[issuer, issuer], &[&lists[0]], &[]).unwrap();
        let paper = paper.append(first);
        for state in [&paper.state, &prepared(&paper.bytes)] {
            let again = add_validation_data(state, &[issuer], &[&lists[0]], &[]).unwrap();
            assert!(again.increment.is_empty(), "{dialect:?}");
            assert_eq!(again.next.length(), state.length());
            let more = add_validation_data(state, &[issuer], &[&lists[0], &lists[1]], &[]).unwrap();
            let text = String::from_utf8_lossy(&more.increment).into_owned();
            assert_eq!(
                text.matches("endstream").count(),
                if text.contains("/XRef") { 2 } else { 1 }
            );
        }
        assert_eq!(
            paper.state.to_bytes(),
            prepared(&paper.bytes).to_bytes(),
            "{dialect:?}"
        );
        assert_eq!(verified(&paper, &person, time()).verdict, FileVerdict::Valid);
    }
}

#[test]
fn independent_programs_accept_lasting_signatures() {
    let person = Person::new("Ana");
    let mut papers = Vec::new();
    for dialect in DIALECTS {
        let paper = lasting(&person, dialect);
        assert_valid(&format!("{dialect:?}"), &paper.bytes, &person, 4);
        let renewed = paper
            .clone()
            .with_validation_data(&person, &[])
            .stamped(&person, "Archivo2", time());
        assert_valid(&format!("renewed {dialect:?}"), &renewed.bytes, &person, 5);
        papers.push((format!("lasting-{dialect:?}"), paper.bytes, 4));
        papers.push((format!("renewed-{dialect:?}"), renewed.bytes, 5));
    }
    let files: Vec<_> = papers
        .iter()
        .map(|(name, bytes, _)| (name.as_str(), bytes.as_slice()))
        .collect();
    for ((name, _, count), verdict) in papers.iter().zip(tools::validate(&files, &person.root())) {
        // pdfsig says nothing about timestamps of the document.
        assert_eq!(
            verdict,
            ToolVerdict {
                pdfsig: 3,
                ..ToolVerdict::all_valid(*count)
            },
            "{name}"
        );
    }
}

#[test]
fn pyhanko_validates_lasting_signatures_for_the_long_term() {
    let person = Person::new("Ana");
    let lasting = lasting(&person, Xref::Table);
    let renewed = lasting
        .clone()
        .with_validation_data(&person, &[])
        .stamped(&person, "Archivo2", time());
    let without = PreparedPdf::new(Doc::contract(1).table())
        .signed(&person, &invisible("Firma"))
        .with_validation_data(&person, &[])
        .stamped(&person, "Archivo", time());
    let files = [("lasting", lasting), ("renewed", renewed), ("without", without)];
    let files = files
        .each_ref()
        .map(|(name, paper)| (*name, paper.bytes.as_slice()));
    let verdicts = tools::validate_long_term(&files, &person.root());
    let passed = |name: &str| verdicts.matches(&format!("{name} passed")).count();
    assert_eq!((passed("lasting"), passed("renewed")), (3, 3), "{verdicts}");
    assert_eq!(passed("without"), 0, "no timestamp of the signature: {verdicts}");
}

#[test]
fn a_timestamped_signature_outlives_its_certificate() {
    let person = Person {
        years: 4,
        ..Person::new("Ana")
    };
    let paper = lasting(&person, Xref::Table);
    let report = verified(&paper, &person, later());
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
    assert!(
        report
            .signatures
            .iter()
            .all(|signature| signature.proved_time == Some(time()))
    );
    let bare = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    assert_eq!(verified(&bare, &person, time()).verdict, FileVerdict::Valid);
    let report = verified(&bare, &person, later());
    assert_eq!(report.verdict, FileVerdict::Indeterminate);
    assert_eq!(report.signatures[0].reasons, [Reason::Expired]);
}

#[test]
fn another_authoritys_timestamps_are_believed_by_its_own_roots() {
    let (person, other) = (Person::new("Ana"), Person::new("Otra"));
    let paper = PreparedPdf::new(Doc::contract(1).table())
        .signed(&person, &invisible("Firma"))
        .stamped(&other, "Tiempo", time());
    let (roots, others) = (person.roots(), other.roots());
    let mut policy = Policy::new(&roots, time());
    assert_eq!(verify(&paper.bytes, &policy).verdict, FileVerdict::Indeterminate);
    policy.time_roots = &others;
    let report = verify(&paper.bytes, &policy);
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
    assert_eq!(report.signatures[0].proved_time, Some(time()));
    // They are good for nothing else.
    let stranger = PreparedPdf::new(Doc::contract(1).table()).signed(&other, &invisible("Firma"));
    assert_eq!(
        verify(&stranger.bytes, &policy).verdict,
        FileVerdict::Indeterminate
    );
}

#[test]
fn a_revoked_signer_is_not_believed() {
    let person = Person::new("Ana");
    let paper = PreparedPdf::new(Doc::contract(1).table());
    let key = person.key();
    let serial = key.certificate().serial().to_vec();
    let unsigned = sign(&paper.state, &invisible("Firma")).unwrap();
    let signature = key.sign(unsigned.digest()).unwrap();
    let paper = paper.append(unsigned.embed(&signature.finish(None)).unwrap());
    let on_the = |day: &str| Revoked {
        serial: serial.clone(),
        at: day.parse().unwrap(),
        reason: Why::KeyCompromise,
    };
    let before = on_the("2026-11-15T06:00:00Z");
    let revoked = paper
        .clone()
        .with_validation_data(&person, std::slice::from_ref(&before));
    let report = verified(&revoked, &person, time());
    assert_eq!(report.verdict, FileVerdict::Invalid);
    assert_eq!(report.signatures[0].reasons, [Reason::Revoked(before.at)]);
    let stamped = paper
        .stamped(&person, "Archivo", time())
        .with_validation_data(&person, &[on_the("2026-12-01T00:00:00Z")]);
    assert_eq!(
        verified(&stamped, &person, later()).verdict,
        FileVerdict::Valid,
        "the timestamp is older"
    );
}

/// With lists that are in force between these times.
fn listed_between(paper: PreparedPdf, person: &Person, from: &str, until: &str) -> PreparedPdf {
    let lists = person.lists_between(from, until, &[]);
    let issuer = person.issuer.certificate().as_der();
    let appended = add_validation_data(&paper.state, &[issuer], &[&lists[0], &lists[1]], &[]);
    paper.append(appended.unwrap())
}

#[test]
fn a_revocation_list_counts_for_its_own_period() {
    let person = Person::new("Ana");
    let bare = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    let found = |from: &str, until: &str| {
        let paper = listed_between(bare.clone(), &person, from, until);
        let report = verified(&paper, &person, time());
        assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
        report.signatures[0].reasons.clone()
    };
    let stale = found("2026-01-01T00:00:00Z", "2026-11-15T11:59:59Z");
    assert_eq!(stale, [Reason::RevocationUnknown]);
    assert_eq!(found("2026-01-01T00:00:00Z", "2026-11-15T12:00:00Z"), []);
    assert_eq!(
        found("2026-11-15T12:00:00Z", "2026-11-16T00:00:00Z"),
        [],
        "made when it is asked"
    );
    assert_eq!(found("2027-01-01T00:00:00Z", "2027-01-08T00:00:00Z"), []);
}

#[test]
fn lists_that_were_fresh_when_a_document_was_extended_go_on_counting() {
    let person = Person::new("Ana");
    let paper = PreparedPdf::new(Doc::contract(1).table())
        .signed(&person, &invisible("Firma"))
        .stamped(&person, "Tiempo", time());
    let paper = listed_between(paper, &person, "2026-11-15T12:00:00Z", "2026-11-22T12:00:00Z");
    let report = verified(&paper.stamped(&person, "Archivo", time()), &person, later());
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
    assert_eq!(report.signatures[0].level, Some(Level::Lta));
    let reasons: Vec<_> = report.signatures.iter().map(|one| &one.reasons[..]).collect();
    let nothing: &[Reason] = &[];
    assert_eq!(
        reasons,
        [nothing, nothing, &[Reason::RevocationUnknown]],
        "no list vouches for the last timestamp after its own"
    );
}

#[test]
fn a_stranger_is_not_trusted() {
    let (ana, mallory) = (Person::new("Ana"), Person::new("Ana"));
    let paper = PreparedPdf::new(Doc::contract(1).table()).signed(&mallory, &invisible("Firma"));
    let report = verified(&paper, &ana, time());
    assert_eq!(report.verdict, FileVerdict::Indeterminate);
    assert!(matches!(report.signatures[0].reasons[..], [Reason::Untrusted(_)]));
    assert_eq!(report.signatures[0].verdict, Verdict::Indeterminate);
    let paper = PreparedPdf::new(Doc::contract(1).table())
        .signed(&ana, &invisible("Firma"))
        .stamped(&mallory, "Otro", time());
    let report = verified(&paper, &ana, time());
    assert_eq!(
        report.signatures[0].proved_time, None,
        "a stranger's clock proves nothing"
    );
}

/// A document signed with a certificate of any kind.
fn signed_with<K: Signer>(credential: &Credential<K>) -> PreparedPdf {
    let paper = PreparedPdf::new(Doc::contract(1).table());
    let unsigned = sign(&paper.state, &invisible("Firma")).unwrap();
    let signature = credential.sign(unsigned.digest()).unwrap();
    paper.append(unsigned.embed(&signature.finish(None)).unwrap())
}

#[test]
fn a_certificate_for_something_else_signs_no_document() {
    let person = Person::new("Ana");
    let subject = Subject::of_installation("Otro", None, None).unwrap();
    let of_role = |role| {
        let key = LocalKey::generate().unwrap();
        let credential = person
            .issuer
            .credential(role, key, &subject, validity(20), &SystemRandom::new());
        signed_with(&credential.unwrap())
    };
    let unfit = [Reason::Untrusted(PathError::NotForDocuments)];
    let service = verified(&of_role(Role::Service), &person, time());
    assert_eq!(service.verdict, FileVerdict::Valid, "{service:#?}");
    let clock = verified(&of_role(Role::TimeStamping), &person, time());
    assert_eq!(clock.verdict, FileVerdict::Indeterminate);
    assert_eq!(clock.signatures[0].reasons, unfit);
    let key = Arc::new(LocalKey::generate().unwrap());
    let issuer = person
        .root
        .issuer(key.clone(), &subject, validity(25), &SystemRandom::new())
        .unwrap();
    let issuer = Credential::new(issuer.certificate().clone(), Vec::new(), key).unwrap();
    let authority = verified(&signed_with(&issuer), &person, time());
    assert_eq!(authority.signatures[0].reasons, unfit);
}

#[test]
fn each_step_raises_the_level() {
    let person = Person::new("Ana");
    let bare = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    let stamped = bare.clone().stamped(&person, "Tiempo", time());
    let listed = stamped.clone().with_validation_data(&person, &[]);
    let archived = listed.clone().stamped(&person, "Archivo", time());
    let again = PreparedPdf::new(archived.bytes.clone()).signed(&person, &invisible("Firma2"));
    let levels = |paper: &PreparedPdf| -> Vec<Option<Level>> {
        let report = verified(paper, &person, time());
        report
            .signatures
            .iter()
            .map(|signature| signature.level)
            .collect()
    };
    assert_eq!(levels(&bare), [Some(Level::B)]);
    assert_eq!(levels(&stamped), [Some(Level::T), None]);
    assert_eq!(levels(&listed), [Some(Level::Lt), None]);
    assert_eq!(levels(&archived), [Some(Level::Lta), None, None]);
    assert_eq!(levels(&again), [Some(Level::Lta), None, None, Some(Level::B)]);
}

#[test]
fn lists_from_elsewhere_raise_no_level() {
    let person = Person::new("Ana");
    let stamped = PreparedPdf::new(Doc::contract(1).table())
        .signed(&person, &invisible("Firma"))
        .stamped(&person, "Tiempo", time());
    let lists = person.lists(&[]).map(|list| Crl::from_der(&list).unwrap());
    let roots = person.roots();
    let policy = Policy {
        crls: &lists,
        ..Policy::new(&roots, time())
    };
    let found = |paper: &PreparedPdf| {
        let report = verify(&paper.bytes, &policy);
        assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
        assert_eq!(report.signatures[0].reasons, [], "nothing is unknown");
        report.signatures[0].level
    };
    assert_eq!(found(&stamped), Some(Level::T));
    assert_eq!(
        found(&stamped.with_validation_data(&person, &[])),
        Some(Level::Lt)
    );
}

#[test]
fn a_file_says_which_root_it_brings_along() {
    let person = Person::new("Ana");
    let roots = |paper: &PreparedPdf| embedded_roots(&paper.bytes, &Limits::default()).unwrap();
    let bare = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    assert_eq!(roots(&bare), [], "a signature does not carry its root");
    let root = person.roots();
    let kept = add_validation_data(&bare.state, &[root[0].as_der()], &[], &[]).unwrap();
    assert_eq!(roots(&bare.append(kept)), root);
}

fn minutes(count: i64) -> Timestamp {
    time() + SignedDuration::from_mins(count)
}

#[test]
fn a_timestamp_from_the_future_proves_nothing() {
    let person = Person::new("Ana");
    let signed = PreparedPdf::new(Doc::contract(1).table()).signed(&person, &invisible("Firma"));
    let of_document = |ahead| {
        verified(
            &signed.clone().stamped(&person, "Tiempo", minutes(ahead)),
            &person,
            time(),
        )
    };
    assert_eq!(
        of_document(5).verdict,
        FileVerdict::Valid,
        "clocks differ a little"
    );
    let report = of_document(6);
    assert_eq!(report.verdict, FileVerdict::Invalid);
    assert_eq!(report.signatures[0].proved_time, None);
    assert_eq!(
        report.signatures[1].reasons[0],
        Reason::Timestamp(TimeStampTokenError::Future)
    );

    let roomy = NewSignature {
        reserve: 8192,
        ..invisible("Firma")
    };
    let of_signature = |ahead| {
        let paper = PreparedPdf::new(Doc::contract(1).table()).signed_at(&person, &roomy, minutes(ahead));
        verified(&paper, &person, time())
    };
    assert_eq!(of_signature(5).verdict, FileVerdict::Valid);
    let report = of_signature(6);
    assert_eq!(report.verdict, FileVerdict::Indeterminate);
    assert_eq!(report.signatures[0].proved_time, None);
    assert_eq!(
        report.signatures[0].reasons[0],
        Reason::SignatureTimestamp(TimeStampTokenError::Future)
    );
}

#[test]
fn timestamps_do_not_contradict_each_other() {
    let person = Person::new("Ana");
    let twice = |first: i64, second: i64| {
        let paper = PreparedPdf::new(Doc::contract(1).table())
            .signed(&person, &invisible("Firma"))
            .stamped(&person, "Tiempo1", minutes(first))
            .stamped(&person, "Tiempo2", minutes(second));
        verified(&paper, &person, minutes(600))
    };
    assert_eq!(twice(0, 60).verdict, FileVerdict::Valid);
    assert_eq!(
        twice(1, 0).verdict,
        FileVerdict::Valid,
        "two authorities, two clocks"
    );
    let report = twice(60, 0);
    assert_eq!(report.verdict, FileVerdict::Invalid);
    assert_eq!(
        report.signatures[1].reasons[0],
        Reason::Timestamp(TimeStampTokenError::Order)
    );

    let roomy = NewSignature {
        reserve: 8192,
        ..invisible("Firma")
    };
    let paper = PreparedPdf::new(Doc::contract(1).table())
        .signed_at(&person, &roomy, minutes(60))
        .stamped(&person, "Tiempo", time());
    let report = verified(&paper, &person, minutes(600));
    assert_eq!(report.verdict, FileVerdict::Indeterminate);
    assert_eq!(
        report.signatures[0].reasons[0],
        Reason::SignatureTimestamp(TimeStampTokenError::Order)
    );
}

/// The issuer of everything, timestamps too, is revoked later.
#[test]
fn an_issuer_that_was_put_aside_keeps_its_past() {
    let person = Person::new("Ana");
    let paper = PreparedPdf::new(Doc::contract(1).table())
        .signed(&person, &invisible("Firma"))
        .stamped(&person, "Tiempo", time());
    let verified = |reason, since: i64| {
        let revoked = Revoked {
            serial: person.issuer.certificate().serial().to_vec(),
            at: minutes(since),
            reason,
        };
        let next = minutes(10_000);
        let list = person.root.crl(1, minutes(600), next, &[revoked]).unwrap();
        let own = person.issuer.crl(1, minutes(600), next, &[]).unwrap();
        let lists = [list, own].map(|list| Crl::from_der(&list).unwrap());
        let roots = person.roots();
        let policy = Policy {
            crls: &lists,
            ..Policy::new(&roots, minutes(600))
        };
        verify(&paper.bytes, &policy).verdict
    };
    assert_eq!(verified(Why::Superseded, 60), FileVerdict::Valid);
    assert_eq!(verified(Why::Superseded, -60), FileVerdict::Invalid);
    assert_eq!(verified(Why::KeyCompromise, 60), FileVerdict::Invalid);
}

#[test]
fn a_signature_says_where_a_history_stood() {
    let person = Person::new("Ana");
    let anchor = Anchor {
        number: 300,
        hash: [7; 32],
    };
    let paper = PreparedPdf::new(Doc::contract(1).table());
    let key = person.key();
    let request = NewSignature {
        reserve: key.reserve_anchored(0),
        ..invisible("Firma")
    };
    let unsigned = sign(&paper.state, &request).unwrap();
    let signature = key.sign_anchored(unsigned.digest(), &anchor).unwrap();
    let paper = paper.append(unsigned.embed(&signature.finish(None)).unwrap());
    let paper = paper.signed(&person, &invisible("Otra"));
    let report = verified(&paper, &person, time());
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:#?}");
    assert_eq!(report.signatures[0].anchor, Some(anchor));
    assert_eq!(report.signatures[1].anchor, None);
    let verified = tools::validate(&[("anchored", &paper.bytes)], &person.root());
    assert_eq!(verified, [ToolVerdict::all_valid(2)]);
}

/// What pyHanko says of each signature of a file at a time, offline and with proof required that nothing was revoked.
fn judged_offline(paper: &PreparedPdf, person: &Person, now: &str) -> Vec<String> {
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    let directory = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(directory.path().join(name), bytes).unwrap();
    put("offline.py", include_bytes!("offline.py"));
    put("root.der", &person.root());
    put("paper.pdf", &paper.bytes);
    let said = run(
        directory.path(),
        &python,
        &["offline.py", "root.der", "paper.pdf", now],
    );
    said.lines().map(str::to_owned).collect()
}

#[test]
fn the_lists_in_a_file_suffice_for_the_whole_chain() {
    let person = Person::new("Ana");
    let roomy = NewSignature {
        reserve: 8192,
        ..invisible("Firma")
    };
    let lists = person.lists_between("2026-11-15T00:00:00Z", "2026-11-22T00:00:00Z", &[]);
    let lists: Vec<&[u8]> = lists.iter().map(Vec::as_slice).collect();
    let issuer = person.issuer.certificate().as_der();
    let paper = PreparedPdf::new(Doc::contract(1).table()).signed_at(&person, &roomy, time());
    let listed = add_validation_data(&paper.state, &[issuer], &lists, &[]).unwrap();
    let paper = paper.append(listed).stamped(&person, "Archivo", time());

    let valid = ["Firma valid", "Archivo valid"];
    assert_eq!(
        judged_offline(&paper, &person, "2026-11-16T00:00:00+00:00"),
        valid
    );
    let without = PreparedPdf::new(Doc::contract(1).table()).signed_at(&person, &roomy, time());
    let one = add_validation_data(&without.state, &[issuer], &lists[1..], &[]).unwrap();
    let without = without.append(one);
    assert_ne!(
        judged_offline(&without, &person, "2026-11-16T00:00:00+00:00"),
        ["Firma valid"],
        "the root's list is missing"
    );
    // The lists have ended, and the timestamp over them proves that they were there in time.
    let report = verified(&paper, &person, "2028-06-01T00:00:00Z".parse().unwrap());
    assert_eq!(report.signatures[0].level, Some(Level::Lta), "{report:#?}");
    assert_eq!(report.signatures[0].reasons, []);
}
