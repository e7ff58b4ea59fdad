//! Keys in sealed files and in `SoftHSM`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod authority_tools;
mod cms_tools;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use authority_tools::{authority_with, installation, key, person, rng, years};
use cms_tools::run_with;
use pki::authority::{KeyError, LocalKey, Pkcs11Token, Role, Signer};
use pki::cms::{Profile, SignedData};
use sha2::{Digest as _, Sha256};

const MASTER: [u8; 32] = [7; 32];

fn works(key: &dyn Signer) {
    let digest: [u8; 32] = Sha256::digest(b"message").into();
    let signature = key.sign(&digest).unwrap();
    let public = key.public_key();
    public
        .verify(public.signature_algorithm(), &digest, &signature)
        .unwrap();
}

#[test]
fn a_sealed_key_opens_with_its_master_key_and_label_only() {
    for key in [LocalKey::generate().unwrap(), LocalKey::generate_rsa().unwrap()] {
        let sealed = key.seal(&MASTER, "root", &rng()).unwrap();
        let opened = LocalKey::open(&sealed, &MASTER, "root").unwrap();
        assert_eq!(opened.public_key(), key.public_key());
        works(&opened);
        assert!(LocalKey::open(&sealed, &MASTER, "issuer").is_err());
        assert!(LocalKey::open(&sealed, &[8; 32], "root").is_err());
        assert_ne!(sealed, key.seal(&MASTER, "root", &rng()).unwrap());
    }
}

#[test]
fn a_short_master_key_is_refused() {
    let key = LocalKey::generate().unwrap();
    assert!(matches!(
        key.seal(&[1; 31], "root", &rng()),
        Err(KeyError::WeakMasterKey)
    ));
}

#[test]
fn no_octet_of_a_sealed_key_can_change() {
    let sealed = LocalKey::generate()
        .unwrap()
        .seal(&MASTER, "root", &rng())
        .unwrap();
    for at in 0..sealed.len() {
        let mut altered = sealed.clone();
        altered[at] ^= 1;
        assert!(LocalKey::open(&altered, &MASTER, "root").is_err(), "octet {at}");
        assert!(
            LocalKey::open(&sealed[..at], &MASTER, "root").is_err(),
            "cut at {at}"
        );
    }
}

fn module() -> PathBuf {
    let places = [
        "/usr/lib/softhsm/libsofthsm2.so",
        "/usr/lib64/softhsm/libsofthsm2.so",
    ];
    let places = std::env::var("SOFTHSM2_MODULE")
        .into_iter()
        .chain(places.map(str::to_owned));
    let mut places = places.map(PathBuf::from);
    places
        .find(|place| place.exists())
        .expect("libsofthsm2.so: not found; run through `cargo xtask test`")
}

/// The module finds its settings by a variable, which a running program cannot set safely: what needs
/// a token runs in a child that has one.
#[test]
fn keys_in_a_token() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::create_dir(directory.join("tokens")).unwrap();
    let settings = format!("directories.tokendir = {}/tokens\n", directory.display());
    fs::write(directory.join("softhsm2.conf"), settings).unwrap();
    let tool = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let settings = directory.join("softhsm2.conf");
        run_with(
            directory,
            words[0],
            &words[1..],
            &[("SOFTHSM2_CONF", settings.to_str().unwrap())],
        )
    };
    let module = module();
    let login = format!(
        "--module {} --token-label firma --login --pin 1234",
        module.display()
    );
    tool("softhsm2-util --init-token --free --label firma --so-pin 0000 --pin 1234");
    tool(&format!(
        "pkcs11-tool {login} --keypairgen --key-type rsa:2048 --label from-opensc --id 01"
    ));
    let program = std::env::current_exe().unwrap();
    let words = tool(&format!("{} --ignored --exact inside_a_token", program.display()));
    assert!(words.contains("1 passed"), "{words}");
}

#[test]
#[ignore = "run by keys_in_a_token, with a token"]
fn inside_a_token() {
    let open = |label: &str, pin: &str| Pkcs11Token::open(&module(), label, pin);
    assert!(matches!(open("other", "1234"), Err(KeyError::NotFound(_))));
    assert!(open("firma", "9999").is_err(), "a wrong PIN");

    let token = open("firma", "1234").unwrap();
    assert!(matches!(token.key("root"), Err(KeyError::NotFound(_))));
    works(&token.generate("root").unwrap());
    works(&token.key("from-opensc").unwrap());
    assert!(matches!(token.generate("root"), Err(KeyError::LabelTaken)));

    // Signatures in DER: r and s come with and without a leading sign bit, and shorter.
    let root = Arc::new(token.key("root").unwrap());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let root = root.clone();
            thread::spawn(move || (0..300).for_each(|_| works(&*root)))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }

    let authority = authority_with(root, Arc::new(token.generate("issuer").unwrap()));
    let digest = Sha256::digest(b"document").into();
    let one_shot = authority
        .issuer()
        .one_shot(&person("Ana", "1"), years(5), &rng())
        .unwrap();
    let cms = one_shot.sign(&digest).unwrap().finish(None);
    SignedData::parse(&cms)
        .unwrap()
        .verify_detached(&digest, Profile::Cades)
        .unwrap();
    let rsa = token.key("from-opensc").unwrap();
    let service = authority
        .issuer()
        .credential(Role::Service, rsa, &installation("Servicio"), years(5), &rng())
        .unwrap();
    let cms = service.sign(&digest).unwrap().finish(None);
    SignedData::parse(&cms)
        .unwrap()
        .verify_detached(&digest, Profile::Cades)
        .unwrap();
}

#[test]
fn the_key_of_a_certificate_is_the_key_that_signs() {
    let authority = authority_with(key(), key());
    let service = authority
        .issuer()
        .credential(
            Role::Service,
            LocalKey::generate().unwrap(),
            &installation("Servicio"),
            years(5),
            &rng(),
        )
        .unwrap();
    works(service.key());
}
