use super::*;

const STRICT: WebhookPolicy = WebhookPolicy {
    plain_http: false,
    loopback: false,
};
const LENIENT: WebhookPolicy = WebhookPolicy {
    plain_http: true,
    loopback: true,
};

#[test]
fn only_addresses_of_the_public_internet_are_public() {
    for inside in [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.0.9",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:0:7f00:1::",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:a00:1::",
        "2002:c0a8:101::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "4000::1",
    ] {
        assert!(!is_public(inside.parse().unwrap()), "{inside}");
    }
    for public in [
        "1.1.1.1",
        "8.8.8.8",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "198.17.0.1",
        "198.20.0.1",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
        "2001:200::1",
        "2606:4700:4700::1111",
        "2a00:1450:4003::1",
        "3fff:1000::1",
    ] {
        assert!(is_public(public.parse().unwrap()), "{public}");
    }
}

#[test]
fn addresses_are_judged_however_they_are_written() {
    for inside in [
        "https://127.0.0.1/",
        "https://0x7f.1/",
        "https://2130706433/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://[::1]/",
        "https://[::ffff:7f00:1]/",
        "https://localhost/",
        "https://localhost./",
        "https://LOCALHOST/",
        "https://a.localhost/",
        "https://0/",
        "https://169.254.169.254/latest",
        "https://10.1/",
        "https://①②⑦.⓪.⓪.①/",
    ] {
        assert_eq!(STRICT.address(inside), Err(BadAddress::NotPublic), "{inside}");
    }
    for (wrong, why) in [
        ("", BadAddress::Malformed),
        ("example.com", BadAddress::Malformed),
        ("ftp://example.com", BadAddress::Malformed),
        ("file:///etc/passwd", BadAddress::Malformed),
        ("https://", BadAddress::Malformed),
        ("http://example.com/", BadAddress::NotHttps),
        ("https://a:b@example.com/", BadAddress::Credentials),
        ("https://a@example.com/", BadAddress::Credentials),
    ] {
        assert_eq!(STRICT.address(wrong), Err(why), "{wrong}");
    }
    let long = format!("https://example.com/{}", "a".repeat(2048));
    assert_eq!(STRICT.address(&long), Err(BadAddress::TooLong));
    let taken = STRICT.address(" https://example.com:8443/hook?a=b#c ").unwrap();
    assert_eq!(taken.as_str(), "https://example.com:8443/hook?a=b");
    for home in [
        "http://127.0.0.1:9000/",
        "http://localhost:9000/",
        "http://[::1]:9000/",
    ] {
        assert!(LENIENT.address(home).is_ok(), "{home}");
    }
    for inside in ["http://10.0.0.1/", "http://169.254.169.254/", "http://0.0.0.0/"] {
        assert_eq!(LENIENT.address(inside), Err(BadAddress::NotPublic), "{inside}");
    }
}
