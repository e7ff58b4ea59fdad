//! The audit: who got in or tried to, what people did, how it is looked through, exported and deleted.

use domain::Role::{self, Administrator, Supervisor};
use domain::{FolioState, Timestamp};
use std::time::Duration;
use store::{ActFilter, AuditEntry, AuditRow};
use testkit::{Company, PASSWORD, PanelBrowser, TestApp, TestResponse, folio};

const ADMIN: &str = "admin@example.com";
const LUISA: &str = "luisa@example.com";

/// The company's acts of a kind, newest first.
async fn acts(company: &Company<'_>, what: &str) -> Vec<AuditEntry> {
    let filter = ActFilter {
        what: Some(what.to_owned()),
        ..ActFilter::default()
    };
    let app = company.app().app();
    app.acts(company.id, filter, None, 100).await.unwrap()
}

/// A try to sign in from that address.
async fn try_from(person: &PanelBrowser<'_>, address: &str, password: &str) -> TestResponse {
    let fields = [("email", person.email.as_str()), ("password", password)];
    let request = person
        .request(reqwest::Method::POST, "/panel/sign-in")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "same-origin")
        .header("x-forwarded-for", address)
        .body(testkit::encoded(&fields));
    person.send(request).await
}

#[tokio::test]
async fn getting_in_and_out_is_written_down_with_person_and_address() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Supervisor).await;
    let other = PanelBrowser::new(&app, LUISA);
    other.sign_in().await;
    assert_eq!(luisa.post("/panel/account/sessions", &[]).await.status, 303);
    let new = "una frase que nadie sabe";
    let change = [("old", PASSWORD), ("new", new)];
    assert_eq!(luisa.post("/panel/account/password", &change).await.status, 303);
    assert_eq!(luisa.post("/panel/sign-out", &[]).await.status, 303);
    luisa.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
    let mail = app.mail_to(LUISA, "Elija una contraseña nueva").await;
    let token = mail.text.split("?t=").nth(1).unwrap();
    let token = token.split_whitespace().next().unwrap();
    let chosen = luisa
        .post_bare("/panel/reset", &[("t", token), ("new", PASSWORD)])
        .await;
    assert_eq!(chosen.status, 303);
    for what in [
        "signed_in",
        "sessions_ended",
        "password_changed",
        "signed_out",
        "password_reset",
    ] {
        let found = acts(&company, what).await;
        let [act] = found.as_slice() else {
            panic!("{what}: {found:?}");
        };
        assert_eq!(
            (act.who.as_str(), act.address.as_deref()),
            (LUISA, Some("127.0.0.1")),
            "{what}"
        );
    }
    assert_eq!(acts(&company, "signed_in").await[0].times, 2);
}

#[tokio::test]
async fn failed_tries_are_the_accounts_companys_and_share_rows() {
    let app = TestApp::builder().trusted_proxies("127.0.0.0/8").start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    acme.panel_user(LUISA, Supervisor).await;
    let luisa = PanelBrowser::new(&app, LUISA);
    for _ in 0..3 {
        assert_eq!(
            try_from(&luisa, "203.0.113.7", "no es esta clave").await.status,
            422
        );
    }
    assert_eq!(
        try_from(&luisa, "203.0.113.8", "no es esta clave").await.status,
        422
    );
    app.advance(Duration::from_secs(61));
    assert_eq!(
        try_from(&luisa, "203.0.113.7", "no es esta clave").await.status,
        422
    );
    let nobody = PanelBrowser::new(&app, "nadie@example.com");
    assert_eq!(
        try_from(&nobody, "203.0.113.7", "no es esta clave").await.status,
        422
    );
    let seen = |acts: Vec<AuditEntry>| -> Vec<(String, i64)> {
        acts.into_iter()
            .map(|act| {
                assert_eq!(act.who, LUISA);
                (act.address.unwrap_or_default(), act.times)
            })
            .collect()
    };
    let row = |address: &str, times: i64| (address.to_owned(), times);
    assert_eq!(
        seen(acts(&acme, "sign_in_failed").await),
        [
            row("203.0.113.7", 1),
            row("203.0.113.8", 1),
            row("203.0.113.7", 3)
        ]
    );
    assert_eq!(acts(&globex, "sign_in_failed").await, []);
    app.app().operator().set_user_enabled(LUISA, false).await.unwrap();
    assert_eq!(try_from(&luisa, "203.0.113.9", PASSWORD).await.status, 422);
    assert_eq!(
        acts(&acme, "sign_in_failed").await.len(),
        4,
        "a disabled user, too"
    );
}

#[tokio::test]
async fn an_attacker_with_many_addresses_fills_no_table() {
    let app = TestApp::builder().trusted_proxies("127.0.0.0/8").start().await;
    let company = app.company("Acme").await;
    company.panel_user(LUISA, Supervisor).await;
    let luisa = PanelBrowser::new(&app, LUISA);
    let mut tries = 0;
    for number in 0..60 {
        let answer = try_from(&luisa, &format!("198.51.100.{number}"), "no es esta clave").await;
        tries += i64::from(answer.status == 422);
        app.advance(Duration::from_secs(31));
    }
    assert!(tries > 40, "{tries}");
    let found = acts(&company, "sign_in_failed").await;
    assert_eq!(found.len(), 21);
    assert_eq!(found.iter().map(|act| act.times).sum::<i64>(), tries);
    assert_eq!(found.iter().filter(|act| act.address.is_none()).count(), 1);
    let admin = company.signed_in(ADMIN, Administrator).await;
    let page = admin.get("/panel/audit?what=sign_in_failed").await.text();
    assert!(page.contains("varias direcciones"), "{page}");
}

#[tokio::test]
async fn what_people_do_to_folios_is_written_down_and_what_systems_do_is_not() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company.use_approval().await;
    let admin = company.signed_in(ADMIN, Administrator).await;
    let [good, bad] = [
        company.created_in(FolioState::Signed, folio()).await,
        company.created_in(FolioState::Signed, folio()).await,
    ];
    let [wrong, again, systems] = [
        company.created(folio()).await,
        company.created(folio()).await,
        company.created(folio()).await,
    ];
    let cancelled = company.cancel([systems.as_str()], "Se cancela por error.").await;
    cancelled.ok();
    let verdict = [("folio", good.as_str()), ("verdict", "approve"), ("sure", "1")];
    assert_eq!(admin.post("/panel/approvals", &verdict).await.status, 303);
    let verdict = [
        ("folio", bad.as_str()),
        ("verdict", "reject"),
        ("sure", "1"),
        ("observation", "Falta la firma del notario."),
    ];
    assert_eq!(admin.post("/panel/approvals", &verdict).await.status, 303);
    let why = [("observation", "Se cancela por error.")];
    let path = format!("/panel/folios/{wrong}/cancel");
    assert_eq!(admin.post(&path, &why).await.status, 303);
    let path = format!("/panel/folios/{wrong}/drop");
    assert_eq!(admin.post(&path, &[]).await.status, 303);
    let page = admin.get(&format!("/panel/folios/{again}/resend")).await.text();
    let value = |field: &str| {
        let (_, rest) = page.split_once(&format!("name=\"{field}\"")).unwrap();
        let (_, rest) = rest.split_once("value=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let (email, mobile, back) = (value("email0"), value("mobile0"), value("returnUrl"));
    let form = [
        ("signer0", "1"),
        ("email0", email.as_str()),
        ("mobile0", mobile.as_str()),
        ("returnUrl", back.as_str()),
    ];
    let path = format!("/panel/folios/{again}/resend");
    let resent = admin.post(&path, &form).await;
    assert_eq!(resent.status, 303, "{}", resent.text());
    for (what, folio) in [
        ("folios_approved", &good),
        ("folios_disapproved", &bad),
        ("folios_cancelled", &wrong),
        ("folio_dropped", &wrong),
        ("folio_resent", &again),
    ] {
        let found = acts(&company, what).await;
        let [act] = found.as_slice() else {
            panic!("{what}: {found:?}");
        };
        assert_eq!(
            (act.who.as_str(), &act.detail, act.address.as_deref()),
            (ADMIN, folio, Some("127.0.0.1")),
            "{what}"
        );
    }
}

/// Notes an act as it might have been, at that time.
async fn noted(company: &Company<'_>, at: Timestamp, who: &str, detail: &str) {
    let (id, who, detail) = (company.id, who.to_owned(), detail.to_owned());
    let noted = company.app().app().store.write(move |tx| {
        let act = AuditEntry {
            seq: AuditRow::ZERO,
            at,
            who,
            address: Some("203.0.113.7".to_owned()),
            what: "key_made".to_owned(),
            detail,
            times: 1,
        };
        tx.record_act(id, &act)
    });
    noted.await.unwrap();
}

#[tokio::test]
async fn the_audit_is_filtered_by_person_kind_and_days_of_the_companys_zone() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in(ADMIN, Administrator).await;
    company.panel_user(LUISA, Supervisor).await;
    // In Bogotá it is the evening of the day before.
    let at = |hours: u64| Timestamp::from_micros(1_735_689_600_000_000).after(Duration::from_hours(hours));
    noted(&company, at(4), LUISA, "de la víspera").await;
    noted(&company, at(5), LUISA, "de enero").await;
    noted(&company, at(6), ADMIN, "de otra persona").await;
    let page = async |query: &str| admin.get(&format!("/panel/audit?{query}")).await.text();
    for (query, shown, hidden) in [
        (
            "who=LUISA@example.com",
            vec!["de la víspera", "de enero"],
            "de otra persona",
        ),
        (
            "what=user_added",
            vec!["luisa@example.com (Supervisión)"],
            "de enero",
        ),
        (
            "from=2025-01-01&to=2025-01-01",
            vec!["de enero", "de otra persona"],
            "de la víspera",
        ),
        ("to=2024-12-31", vec!["de la víspera"], "de enero"),
        (
            "who=luisa%40example.com&from=2025-01-01",
            vec!["de enero"],
            "de la víspera",
        ),
    ] {
        let text = page(query).await;
        for words in shown {
            assert!(text.contains(words), "{query}: {words} is missing\n{text}");
        }
        assert!(!text.contains(hidden), "{query}: {hidden} is there");
        assert!(text.contains("Quitar los filtros"), "{query}");
    }
    let none = page("who=operator&to=2001-01-01").await;
    assert!(none.contains("Ningún registro coincide"), "{none}");
    for odd in [
        "before=x",
        "before=1-y",
        "from=ayer&to=9999-99-99",
        "what=nothing",
        "who=%00%ff",
    ] {
        let answer = admin.get(&format!("/panel/audit?{odd}")).await;
        assert_eq!(answer.status, 200, "{odd}");
    }
}

#[tokio::test]
async fn the_audit_is_taken_away_as_a_table_that_runs_nothing() {
    let app = TestApp::start().await;
    let (company, globex) = (app.company("Acme").await, app.company("Globex").await);
    let admin = company.signed_in(ADMIN, Administrator).await;
    let at = |second: i64| Timestamp::from_micros(1_735_700_000_000_000 + second * 1_000_000);
    for (second, detail) in [
        (1, "=HYPERLINK(\"https://evil.example\")"),
        (2, "+1+1"),
        (3, "-1"),
        (4, "@SUM(A1)"),
        (5, "\tTab"),
        (6, "nómina, \"la nueva\""),
    ] {
        noted(&company, at(second), LUISA, detail).await;
    }
    noted(&globex, at(7), LUISA, "de otra empresa").await;
    let file = admin
        .get(&format!("/panel/audit.csv?what=key_made&who={LUISA}"))
        .await;
    assert_eq!(file.status, 200);
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(
        file.header("content-disposition")
            .unwrap()
            .starts_with("attachment")
    );
    assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(file.header("cache-control"), Some("no-store"));
    let expected =
        "\u{feff}\"Cuándo\",\"Quién\",\"Dirección IP\",\"Qué\",\"Código\",\"Detalle\",\"Veces\"\r\n";
    let lines: String = [
        (6, "nómina, \"\"la nueva\"\""),
        (5, "'\tTab"),
        (4, "'@SUM(A1)"),
        (3, "'-1"),
        (2, "'+1+1"),
        (1, "'=HYPERLINK(\"\"https://evil.example\"\")"),
    ]
    .map(|(second, detail)| {
        let second = 20 + second;
        format!(
            "\"2024-12-31 21:53:{second}-05:00\",\"{LUISA}\",\"203.0.113.7\",\"Creó una llave\",\"key_made\",\
             \"{detail}\",\"1\"\r\n"
        )
    })
    .concat();
    assert_eq!(file.text(), format!("{expected}{lines}"));
    let reader = company.signed_in("lee@example.com", Role::Reader).await;
    assert_eq!(reader.get("/panel/audit.csv").await.status, 403);
}

#[tokio::test]
async fn a_long_audit_is_cut_and_says_so() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in(ADMIN, Administrator).await;
    let id = company.id;
    let added = app.app().store.write(move |tx| {
        for number in 0..10_001 {
            let act = AuditEntry {
                seq: AuditRow::ZERO,
                at: Timestamp::from_micros(number),
                who: LUISA.to_owned(),
                address: None,
                what: "key_made".to_owned(),
                detail: String::new(),
                times: 1,
            };
            tx.record_act(id, &act)?;
        }
        Ok::<_, store::Error>(())
    });
    added.await.unwrap();
    let file = admin.get("/panel/audit.csv?what=key_made").await.text();
    assert_eq!(file.lines().count(), 1 + 10_000 + 1);
    assert!(file.lines().last().unwrap().contains("filtre por fechas"));
}

#[tokio::test]
async fn acts_are_kept_for_four_hundred_days() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company.signed_in(ADMIN, Administrator).await;
    app.advance(Duration::from_hours(24 * 400));
    assert_eq!(app.app().delete_old_acts().await.unwrap(), 0);
    assert_eq!(acts(&company, "signed_in").await.len(), 1);
    app.advance(Duration::from_secs(1));
    assert!(app.app().delete_old_acts().await.unwrap() > 0);
    assert_eq!(acts(&company, "signed_in").await, []);
}

#[tokio::test]
async fn a_row_that_is_changed_in_the_database_is_not_found() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in(ADMIN, Administrator).await;
    app.tamper(&format!("UPDATE audit SET who = '{LUISA}' WHERE who = '{ADMIN}'"))
        .await;
    let found = acts(&company, "signed_in").await;
    assert_eq!(found[0].who, LUISA);
    let page = admin.get("/panel/audit").await;
    assert!(
        page.status == 200 && page.text().contains(LUISA),
        "{}",
        page.text()
    );
    let inner = app.app();
    let checked = app::operator::integrity::check_integrity(app.database(), &inner.store, &inner.blobs, None);
    assert_eq!(checked.await.unwrap().messages, [""; 0]);
}
