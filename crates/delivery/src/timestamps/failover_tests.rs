//! Authorities behind TLS that die at any moment, and one that is not who it says: every seal is made, by the right ones.

use super::*;
use crate::tls::tls_builder;
use app::TimeStamping;
use aws_lc_rs::rand::SystemRandom;
use data_encoding::BASE64_MIME;
use domain::{Causes, Timestamp};
use jiff::SignedDuration;
use pki::authority::{LocalKey, Role, Root, Subject, Validity};
use pki::cms::Certificate;
use pki::time::{BASELINE_POLICY, TimeStampAuthority, TimeStampToken};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use sha2::{Digest, Sha256};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::thread::JoinHandle;
use tokio::net::TcpSocket;

const SEALS: u32 = 1_000;
/// Seconds from one seal to the next: an authority that failed is asked last for fifteen of them.
const STEP: i64 = 20;
/// Bytes that a timestamp may have.
const ROOM: usize = 8 * 1024;
const LOCALHOST: &[u8] = include_bytes!("localhost.crt.der");
const LOCALHOST_KEY: &[u8] = include_bytes!("localhost.key.der");

/// Numbers that are the same in every run.
#[derive(Debug)]
struct Chance(AtomicU32);

impl Chance {
    /// One of the numbers below `limit`.
    fn below(&self, limit: u32) -> u32 {
        let next = |state: u32| state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let state = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |state| Some(next(state)));
        (next(state.unwrap()) >> 8) % limit
    }
}

/// What a server asks of its clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Nothing,
    Password,
    Certificate,
}

/// An authority and its server.
struct Authority {
    stamps: TimeStampAuthority<LocalKey>,
    tls: Arc<ServerConfig>,
    asks: Asks,
    /// Whether and where it dies; never when absent.
    chance: Option<Chance>,
    /// What time it is, in seconds.
    now: Arc<AtomicI64>,
}

/// A root, and an authority under it.
fn stamps(name: &str) -> (Certificate, TimeStampAuthority<LocalKey>) {
    let rng = SystemRandom::new();
    let subject = |what: &str| Subject::of_installation(&format!("{name} {what}"), None, None).unwrap();
    let years = |years| Validity::of_years("2026-01-01T00:00:00Z".parse().unwrap(), years).unwrap();
    let key = || Arc::new(LocalKey::generate().unwrap());
    let root = Root::create(key(), &subject("raíz"), years(30), &rng).unwrap();
    let issuer = root.issuer(key(), &subject("emisor"), years(20), &rng).unwrap();
    let key = LocalKey::generate().unwrap();
    let credential = issuer.credential(Role::TimeStamping, key, &subject("tiempo"), years(10), &rng);
    let stamps = TimeStampAuthority::new(credential.unwrap(), BASELINE_POLICY).unwrap();
    (root.certificate().clone(), stamps)
}

fn known() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from(LOCALHOST)).unwrap();
    roots
}

fn server_tls(asks: Asks) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap();
    let builder = if asks == Asks::Certificate {
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(known()), provider);
        builder.with_client_cert_verifier(verifier.build().unwrap())
    } else {
        builder.with_no_client_auth()
    };
    let key = PrivateKeyDer::try_from(LOCALHOST_KEY).unwrap();
    let certificates = vec![CertificateDer::from(LOCALHOST)];
    Arc::new(builder.with_single_cert(certificates, key).unwrap())
}

impl Authority {
    /// Serves a connection, or dies on the way: before the handshake, before the answer or in the middle of it.
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let death = self.chance.as_ref().map(|chance| chance.below(12));
        if death == Some(0) {
            return Ok(());
        }
        let session = ServerConnection::new(Arc::clone(&self.tls)).unwrap();
        let mut stream = BufReader::new(StreamOwned::new(session, stream));
        let (mut length, mut allowed, mut line) = (0, self.asks != Asks::Password, String::new());
        while stream.read_line(&mut line)? > 2 {
            let head = std::mem::take(&mut line);
            if let Some(number) = head.to_lowercase().strip_prefix("content-length: ") {
                length = number.trim().parse().unwrap();
            }
            // `ana` and `a secret: é`.
            allowed |= head.to_lowercase().starts_with("authorization: ")
                && head.contains("Basic YW5hOmEgc2VjcmV0OiDDqQ==");
        }
        let mut request = vec![0; length];
        stream.read_exact(&mut request)?;
        if death == Some(1) {
            return Ok(());
        }
        let now = jiff::Timestamp::from_second(self.now.load(Ordering::SeqCst)).unwrap();
        let answer = self.stamps.answer(&request, now, &SystemRandom::new());
        let status = if allowed { "200 OK" } else { "401 Unauthorized" };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/timestamp-reply\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        let mut bytes = [head.as_bytes(), &answer].concat();
        if death == Some(2) {
            bytes.truncate(head.len() + answer.len() / 2);
        }
        stream.get_mut().write_all(&bytes)?;
        stream.get_mut().conn.send_close_notify();
        stream.get_mut().flush()
    }
}

/// A server that can be killed and started again at its port.
struct Server {
    authority: Arc<Authority>,
    /// Bound and without a listener: while the server is dead, connections are refused and nothing else gets the port.
    port: TcpSocket,
    running: Option<(Arc<AtomicBool>, JoinHandle<()>)>,
}

impl Server {
    fn new(authority: Authority) -> Self {
        let port = TcpSocket::new_v4().unwrap();
        port.set_reuseaddr(true).unwrap();
        port.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let mut this = Self {
            authority: Arc::new(authority),
            port,
            running: None,
        };
        this.start();
        this
    }

    fn address(&self) -> SocketAddr {
        self.port.local_addr().unwrap()
    }

    fn start(&mut self) {
        if self.running.is_some() {
            return;
        }
        let listener = TcpListener::bind(self.address()).unwrap();
        let alive = Arc::new(AtomicBool::new(true));
        let (authority, still) = (Arc::clone(&self.authority), Arc::clone(&alive));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if !still.load(Ordering::SeqCst) {
                    return;
                }
                // A client that hangs up is no concern of the server.
                let _ = authority.serve(stream.unwrap());
            }
        });
        self.running = Some((alive, thread));
    }

    /// Whether it was alive.
    fn kill(&mut self) -> bool {
        let Some((alive, thread)) = self.running.take() else {
            return false;
        };
        alive.store(false, Ordering::SeqCst);
        // The thread waits for a connection.
        drop(TcpStream::connect(self.address()).unwrap());
        thread.join().unwrap();
        true
    }

    fn client(&self, user: &str, identity: Option<ClientIdentity>) -> Arc<TimestampClient> {
        let builder = tls_builder(known()).unwrap();
        let tls = match identity {
            Some(identity) => builder.with_client_auth_cert(identity.certificates, identity.key),
            None => Ok(builder.with_no_client_auth()),
        };
        let address = format!("https://{user}localhost:{}/tsa", self.address().port());
        let address = address.parse().unwrap();
        Arc::new(TimestampClient::with(&address, tls.unwrap(), Duration::from_mins(2)).unwrap())
    }
}

fn identity() -> ClientIdentity {
    let pem = |what: &str, der: &[u8]| {
        let body = BASE64_MIME.encode(der);
        format!("-----BEGIN {what}-----\n{body}-----END {what}-----\n")
    };
    let text = pem("CERTIFICATE", LOCALHOST) + &pem("PRIVATE KEY", LOCALHOST_KEY);
    ClientIdentity::from_pem(text.as_bytes()).unwrap()
}

#[test]
fn no_seal_is_lost_and_none_is_by_the_wrong_authority() {
    let begins: jiff::Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
    let now = Arc::new(AtomicI64::new(begins.as_second()));
    let server = |seed: u32, stamps, asks| {
        Server::new(Authority {
            stamps,
            tls: server_tls(asks),
            asks,
            chance: Some(Chance(AtomicU32::new(seed))),
            now: Arc::clone(&now),
        })
    };
    let ((first_root, first), (second_root, second)) = (stamps("Primera"), stamps("Segunda"));
    let ((claimed_root, _), (_, impostor)) = (stamps("Tercera"), stamps("Impostora"));
    let mut servers = [
        server(1, impostor, Asks::Nothing),
        server(2, first, Asks::Password),
        server(3, second, Asks::Certificate),
    ];
    let authorities = [
        TimeStamping::new("impostor", servers[0].client("", None), vec![claimed_root]),
        TimeStamping::new(
            "first",
            servers[1].client("ana:a%20secret%3A%20%C3%A9@", None),
            vec![first_root.clone()],
        ),
        TimeStamping::new(
            "second",
            servers[2].client("", Some(identity())),
            vec![second_root.clone()],
        ),
    ];
    let chance = Chance(AtomicU32::new(4));
    let (mut kills, mut retries, mut made) = (0, 0, [0, 0]);
    for number in 0..SEALS {
        let at = now.fetch_add(STEP, Ordering::SeqCst) + STEP;
        let place = chance.below(3) as usize;
        if chance.below(4) == 0 {
            kills += u32::from(servers[place].kill());
        } else {
            servers[place].start();
        }
        let digest: [u8; 32] = Sha256::digest(number.to_be_bytes()).into();
        let stamped = loop {
            let now = Timestamp::from_micros(at * 1_000_000);
            if let Ok(stamped) = TimeStamping::stamp(&authorities, &digest, ROOM, now) {
                break stamped;
            }
            retries += 1;
            assert!(retries < SEALS, "seals fail more often than servers die");
            servers[1].start();
            servers[2].start();
        };
        TimeStampToken::from_der(&stamped.token)
            .unwrap()
            .verify(&digest)
            .unwrap();
        let by = |root: &Certificate| stamped.stamp.path(&[], std::slice::from_ref(root)).is_ok();
        let by = [by(&first_root), by(&second_root)];
        assert_eq!(
            by.iter().filter(|by| **by).count(),
            1,
            "one of the two made seal {number}"
        );
        for (made, by) in made.iter_mut().zip(by) {
            *made += u32::from(by);
        }
    }
    println!("{kills} kills, {retries} seals asked for again, {made:?} by the two");
    assert_eq!(made[0] + made[1], SEALS);
    assert!(
        kills > 100 && made.iter().all(|made| *made > 100),
        "{kills} {retries} {made:?}"
    );
    for server in &mut servers {
        server.kill();
    }
}

#[test]
fn servers_refuse_clients_without_password_or_certificate() {
    let now = Arc::new(AtomicI64::new(1_772_323_200));
    for asks in [Asks::Password, Asks::Certificate] {
        let (root, stamps) = stamps("Una");
        let mut server = Server::new(Authority {
            stamps,
            tls: server_tls(asks),
            asks,
            chance: None,
            now: Arc::clone(&now),
        });
        let bare = [TimeStamping::new("bare", server.client("", None), vec![root])];
        let at = Timestamp::from_micros(1_772_323_200_000_000);
        assert!(
            TimeStamping::stamp(&bare, &[7; 32], ROOM, at).is_err(),
            "{asks:?}"
        );
        server.kill();
    }
}

#[test]
fn a_timestamp_that_does_not_fit_is_asked_of_the_next_authority() {
    let now = Arc::new(AtomicI64::new(1_772_323_200));
    let at = Timestamp::from_micros(1_772_323_200_000_000);
    let server = |name: &str| {
        let (root, stamps) = stamps(name);
        let server = Server::new(Authority {
            stamps,
            tls: server_tls(Asks::Nothing),
            asks: Asks::Nothing,
            chance: None,
            now: Arc::clone(&now),
        });
        (root, server)
    };
    let (long_root, mut long) = server(&"Larga".repeat(9));
    let (short_root, mut short) = server("Corta");
    let authority = |server: &Server, root: &Certificate| {
        TimeStamping::new("one", server.client("", None), vec![root.clone()])
    };
    let length = |of: TimeStamping| {
        TimeStamping::stamp(&[of], &[7; 32], ROOM, at)
            .unwrap()
            .token
            .len()
    };
    let room = length(authority(&short, &short_root)) + 8;
    assert!(length(authority(&long, &long_root)) > room);
    let both = [authority(&long, &long_root), authority(&short, &short_root)];
    let stamped = TimeStamping::stamp(&both, &[7; 32], room, at).unwrap();
    assert!(
        stamped.stamp.path(&[], &[short_root]).is_ok(),
        "the second made it"
    );
    let error = TimeStamping::stamp(&both[..1], &[7; 32], room, at).unwrap_err();
    let error = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
    assert!(error.contains(&format!("and {room} fit")), "{error}");
    long.kill();
    short.kill();
}

/// The alert on a wrong clock goes by the skew. It would stay at that of the last good answer.
#[test]
fn the_skew_of_an_answer_that_is_refused_for_its_time_is_known() {
    let begins = 1_772_323_200;
    let ((root, stamps), (other_root, _)) = (stamps("Una"), stamps("Otra"));
    let mut server = Server::new(Authority {
        stamps,
        tls: server_tls(Asks::Nothing),
        asks: Asks::Nothing,
        chance: None,
        now: Arc::new(AtomicI64::new(begins)),
    });
    let authority = |root| [TimeStamping::new("one", server.client("", None), vec![root])];
    let (own, impostor) = (authority(root), authority(other_root));
    let stamp = |by: &[TimeStamping], seconds: i64| {
        let now = Timestamp::from_micros((begins + seconds) * 1_000_000);
        TimeStamping::stamp(by, &[7; 32], ROOM, now)
    };
    stamp(&own, 5).unwrap();
    assert_eq!(own[0].skew(), Some(SignedDuration::from_secs(5)));
    for hours in [-1, 48] {
        let refused = stamp(&own, hours * 3600).unwrap_err();
        let why = Causes(&refused).to_string();
        assert!(
            why.contains("the clock of the timestamping authority is wrong"),
            "{why}"
        );
        assert_eq!(own[0].skew(), Some(SignedDuration::from_hours(hours)));
    }
    assert!(stamp(&impostor, 3600).is_err());
    assert_eq!(impostor[0].skew(), None, "anybody may have made its answer");
    server.kill();
}

#[test]
fn files_without_a_certificate_or_key_are_refused() {
    assert!(matches!(
        ClientIdentity::from_pem(b"nothing"),
        Err(BadIdentity::NoCertificate)
    ));
    let body = BASE64_MIME.encode(LOCALHOST);
    let only = format!("-----BEGIN CERTIFICATE-----\n{body}-----END CERTIFICATE-----\n");
    assert!(matches!(
        ClientIdentity::from_pem(only.as_bytes()),
        Err(BadIdentity::Pem(_))
    ));
}
