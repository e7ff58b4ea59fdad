use super::*;

fn strict() -> WebhookPolicy {
    WebhookPolicy::default()
}

fn lenient() -> WebhookPolicy {
    WebhookPolicy {
        plain_http: true,
        loopback: true,
        ..WebhookPolicy::default()
    }
}

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
        assert_eq!(strict().address(inside), Err(BadAddress::NotPublic), "{inside}");
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
        assert_eq!(strict().address(wrong), Err(why), "{wrong}");
    }
    let long = format!("https://example.com/{}", "a".repeat(2048));
    assert_eq!(strict().address(&long), Err(BadAddress::TooLong));
    let taken = strict().address(" https://example.com:8443/hook?a=b#c ").unwrap();
    assert_eq!(taken.as_str(), "https://example.com:8443/hook?a=b");
    for home in [
        "http://127.0.0.1:9000/",
        "http://localhost:9000/",
        "http://[::1]:9000/",
    ] {
        assert!(lenient().address(home).is_ok(), "{home}");
    }
    for inside in ["http://10.0.0.1/", "http://169.254.169.254/", "http://0.0.0.0/"] {
        assert_eq!(lenient().address(inside), Err(BadAddress::NotPublic), "{inside}");
    }
}

#[test]
fn only_the_usual_ports_and_those_listed_are_taken() {
    let plain = WebhookPolicy {
        plain_http: true,
        ..strict()
    };
    for usual in [
        "https://example.com/",
        "https://example.com:443/",
        "https://example.com:8443/",
        "http://example.com/",
        "http://example.com:8080/",
        "https://8.8.8.8:8443/",
    ] {
        assert!(plain.address(usual).is_ok(), "{usual}");
    }
    for unusual in [
        "https://example.com:22/",
        "https://example.com:80/",
        "http://example.com:443/",
        "http://example.com:25/",
        "https://8.8.8.8:9200/",
        "https://[2606:4700:4700::1111]:6379/",
    ] {
        assert_eq!(plain.address(unusual), Err(BadAddress::Port), "{unusual}");
    }
    let listed = WebhookPolicy {
        ports: vec![9443],
        ..strict()
    };
    assert!(listed.address("https://example.com:9443/").is_ok());
    assert!(listed.address("https://example.com/").is_ok());
    assert_eq!(listed.address("https://example.com:9444/"), Err(BadAddress::Port));
}

#[test]
fn networks_that_the_operator_lists_are_reached_and_nothing_beside_them() {
    let company = WebhookPolicy {
        networks: "10.1.0.0/16,fd00::/8".parse().unwrap(),
        ..strict()
    };
    for erp in [
        "https://10.1.2.3/",
        "https://10.1.2.3:8443/",
        "https://[fd12::7]/",
        "https://[::ffff:10.1.2.3]/",
    ] {
        assert!(company.address(erp).is_ok(), "{erp}");
    }
    for inside in ["https://10.2.0.1/", "https://192.168.1.1/", "https://127.0.0.1/"] {
        assert_eq!(company.address(inside), Err(BadAddress::NotPublic), "{inside}");
    }
    assert_eq!(company.address("https://10.1.2.3:5432/"), Err(BadAddress::Port));
    // However much is listed.
    let all = WebhookPolicy {
        networks: "0.0.0.0/0,::/0".parse().unwrap(),
        ..strict()
    };
    assert!(all.address("https://172.16.0.1/").is_ok());
    for never in [
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://0.0.0.0/",
        "https://169.254.169.254/latest",
        "https://[fe80::1]/",
        "https://[::ffff:169.254.169.254]/",
        "https://224.0.0.1/",
    ] {
        assert_eq!(all.address(never), Err(BadAddress::NotPublic), "{never}");
    }
}
