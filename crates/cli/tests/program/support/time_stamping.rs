//! Another timestamp authority.

use super::Installation;
use pki::authority::{Country, LocalKey, Role, Root, Subject, Validity};
use pki::time::{BASELINE_POLICY, TimeStampAuthority};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// An installation that has its timestamps from an authority whose clock is ahead of ours by so many seconds.
pub(crate) fn stamped_by_another(installation: Installation, ahead: i64) -> Installation {
    let (address, root) = time_stamping(ahead);
    let file = installation.directory().join("authority.der");
    std::fs::write(&file, root).unwrap();
    installation
        .with("FIRMEZA_TSA_URL", address)
        .with("FIRMEZA_TSA_ROOTS", file)
}

/// Another authority, whose clock is ahead of ours by so many seconds; its address and its root. Runs until the test ends.
pub(crate) fn time_stamping(ahead: i64) -> (String, Vec<u8>) {
    let clock = move || jiff::Timestamp::from_second(system_seconds() + ahead).unwrap();
    let random = aws_lc_rs::rand::SystemRandom::new();
    let country = Country::new("CO").unwrap();
    let name = |name: &str| Subject::of_installation(name, Some("Otra"), Some(country)).unwrap();
    let begins = jiff::Timestamp::from_second(clock().as_second() - 86_400).unwrap();
    let years = |years| Validity::of_years(begins, years).unwrap();
    let key = || std::sync::Arc::new(LocalKey::generate().unwrap());
    let root = Root::create(key(), &name("Raíz"), years(30), &random).unwrap();
    let issuer = root.issuer(key(), &name("Emisor"), years(20), &random).unwrap();
    let stamping = issuer.credential(Role::TimeStamping, key(), &name("Tiempo"), years(10), &random);
    let authority = TimeStampAuthority::new(stamping.unwrap(), BASELINE_POLICY).unwrap();
    let root = root.certificate().as_der().to_vec();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/tsa", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let request = posted(&mut stream);
            let answer = authority.answer(&request, clock(), &random);
            let head = format!(
                "HTTP/1.0 200 OK\r\nContent-Type: application/timestamp-reply\r\nContent-Length: {}\r\n\r\n",
                answer.len()
            );
            stream.write_all(&[head.as_bytes(), &answer].concat()).unwrap();
        }
    });
    (address, root)
}

/// The body of a request.
fn posted(stream: &mut TcpStream) -> Vec<u8> {
    let mut request = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        request.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    request.read_exact(&mut body).unwrap();
    body
}

fn system_seconds() -> i64 {
    app::Clock::System.now().as_micros().div_euclid(1_000_000)
}
