//! The proxies of `deploy/`, as they stand there, in front of the service.

use crate::support::{Installation, texts, wait_for};
use parts::{End, Scratch};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Where the client is.
const CLIENT: &str = "127.0.0.5";
/// What the client claims to be.
const CLAIMED: &str = "203.0.113.7";
const NGINX: &str = include_str!("../../../../../deploy/nginx.conf");
const CADDY: &str = include_str!("../../../../../deploy/Caddyfile");

struct Ports {
    service: u16,
    plain: u16,
    tls: u16,
}

#[test]
fn nginx_passes_requests_on_with_the_clients_address() {
    check("nginx", |own, ports| {
        let site = NGINX
            .replace("127.0.0.1:8080", &format!("127.0.0.1:{}", ports.service))
            .replace("listen 80;", &format!("listen 127.0.0.1:{};", ports.plain))
            .replace("listen [::]:80;", "")
            .replace("listen 443 ssl", &format!("listen 127.0.0.1:{} ssl", ports.tls))
            .replace("listen [::]:443 ssl http2;", "")
            .replace(
                "/etc/letsencrypt/live/firma.example.com/fullchain.pem",
                "server.crt",
            )
            .replace(
                "/etc/letsencrypt/live/firma.example.com/privkey.pem",
                "server.key",
            );
        assert!(!site.contains("letsencrypt"), "{site}");
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {kind};"))
            .concat();
        let user = if rustix::process::getuid().is_root() {
            "user root;"
        } else {
            ""
        };
        let main =
            format!("{user} daemon off; pid pid; events {{}} http {{ access_log off; {temporary} {site} }}");
        let path = own.join("nginx.conf");
        fs::write(&path, main).unwrap();
        let mut nginx = Command::new(parts::program("nginx").unwrap());
        nginx
            .arg("-e")
            .arg(own.join("error.log"))
            .arg("-p")
            .arg(own)
            .arg("-c")
            .arg(path);
        nginx
    });
}

#[test]
fn caddy_passes_requests_on_with_the_clients_address() {
    check("caddy", |own, ports| {
        let block = format!(
            "https://firma.example.com:{} {{\n\ttls {own}/server.crt {own}/server.key",
            ports.tls,
            own = own.display()
        );
        let site = CADDY
            .replace("127.0.0.1:8080", &format!("127.0.0.1:{}", ports.service))
            .replace("\nfirma.example.com {", &format!("\n{block}"));
        assert!(site.contains(&block), "{site}");
        let main = format!("{{\n\tadmin off\n\thttp_port {}\n}}\n{site}", ports.plain);
        let path = own.join("Caddyfile");
        fs::write(&path, main).unwrap();
        let mut caddy = Command::new(parts::program("caddy").unwrap());
        caddy
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(path)
            .env("HOME", own)
            .env("XDG_DATA_HOME", own)
            .env("XDG_CONFIG_HOME", own);
        caddy
    });
}

/// Starts the service and a proxy, and creates a folio through it.
fn check(name: &'static str, proxy: impl FnOnce(&Path, &Ports) -> Command) {
    let mut scratch = Scratch::new().unwrap();
    let own = scratch.directory().to_owned();
    certificate(&own);
    let tls = parts::free_port().unwrap();
    let host = format!("https://firma.example.com:{tls}");
    let installation = Installation::new()
        .with("FIRMEZA_BASE_URL", &host)
        .with("FIRMEZA_TRUSTED_PROXIES", "127.0.0.1");
    let ports = Ports {
        service: installation.port,
        plain: parts::free_port().unwrap(),
        tls,
    };
    let _server = installation.serve();
    let mut command = proxy(&own, &ports);
    scratch.start(name, &mut command, End::KillGroup).unwrap();
    let ask = |more: &[&str], target: &str| {
        let output = Command::new("curl")
            .args(["-sS", "-i", "--cacert", "server.crt", "--interface", CLIENT])
            .args(["--resolve", &format!("firma.example.com:{tls}:127.0.0.1")])
            .args(["-H", &format!("X-Forwarded-For: {CLAIMED}")])
            .args(more)
            .arg(target)
            .current_dir(&own)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let ready = format!("{host}/ready");
    let answered = |text: &str| text.contains(" 200") && text.ends_with(r#"{"status":"up"}"#);
    scratch.wait_until(name, || answered(&ask(&[], &ready))).unwrap();
    let strict = ask(&[], &ready).to_lowercase();
    assert!(strict.contains("strict-transport-security: max-age="), "{strict}");

    fs::write(own.join("documento.pdf"), crate::support::pdf(7, 3 << 20)).unwrap();
    let key = format!("x-api-key: Bearer {}", installation.key());
    let signers = r#"signers=[{"name":"María Pérez","email":"maria@example.com","documentType":"CC","documentNumber":"1020304050","cellPhoneNumber":"3001234567"}]"#;
    let mut form = vec!["-H", &key, "-F", signers];
    for field in [
        "folioName=Contrato",
        "folioMessage=Por favor firme.",
        "signatureType=1",
        "urlReturn=https://example.com/gracias",
        "fileType=file",
        "sendEmail=true",
        "documents[]=@documento.pdf;type=application/pdf",
    ] {
        form.extend(["-F", field]);
    }
    let created = ask(&form, &format!("{host}/api/integrations/sign"));
    let (_, body) = created.rsplit_once("\r\n\r\n").unwrap();
    let created: Value = serde_json::from_str(body).unwrap();
    let link = created["data"]["signProcessUrl"].as_str().unwrap();
    assert!(link.starts_with(&host), "{link}");

    let mut addresses = Vec::new();
    wait_for("the request in the log of requests", || {
        addresses = texts(&installation.sqlite(), "SELECT address FROM api_requests");
        !addresses.is_empty()
    });
    assert_eq!(addresses, [CLIENT]);
}

/// One that signs itself, in `server.crt` and `server.key`.
fn certificate(directory: &Path) {
    let mut openssl = Command::new("openssl");
    openssl
        .current_dir(directory)
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
        ])
        .args([
            "-nodes",
            "-days",
            "2",
            "-keyout",
            "server.key",
            "-out",
            "server.crt",
        ])
        .args(["-subj", "/CN=firma.example.com"])
        .args(["-addext", "subjectAltName=DNS:firma.example.com"]);
    parts::run(&mut openssl).unwrap();
}
