//! The list of folios: pages in both directions, filters, acts on several, and files.

use domain::Role::{Reader, Supervisor};
use domain::{FolioState, ReturnKind, limits};
use serde_json::json;
use std::time::Duration;
use testkit::{Company, FolioAct, Form, PanelBrowser, TestApp, folio, pdf, signer, signers};

async fn named(company: &Company<'_>, name: &str, number: &str) -> String {
    let wanted = folio().with("folioName", name).signers(&json!([signer(number)]));
    company.created(wanted).await
}

/// A report says that the messages about the folio came back.
async fn returned(company: &Company<'_>, id: &str, kind: ReturnKind) {
    let (number, messages) = (company.id, company.messages(id).await);
    let marked = company.app().app().store.write(move |tx| {
        let mut marks = messages
            .iter()
            .map(|message| tx.mark_returned(number, message.seq, kind));
        marks.try_fold(true, |all, marked| Ok::<bool, store::Error>(all && marked?))
    });
    assert!(marked.await.unwrap());
}

async fn settled(app: &TestApp) {
    while app.app().project_changes().await.unwrap() > 0 {}
}

/// The names of a list's folios, in their order.
fn names(page: &str) -> Vec<String> {
    let rows = page.split("<td class=\"name\"><a href=\"").skip(1);
    rows.map(|row| {
        let (_, text) = row.split_once('>').unwrap();
        text.split('<').next().unwrap().to_owned()
    })
    .collect()
}

fn address(page: &str, rel: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("rel=\"{rel}\" href=\""))?;
    Some(rest.split('"').next().unwrap().replace("&#38;", "&"))
}

#[tokio::test]
async fn pages_go_forward_and_back_in_either_order() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    for number in 0..60 {
        named(&acme, &format!("F{number}"), "1001").await;
    }
    settled(&app).await;
    for (order, first) in [("", 59), ("&order=oldest", 0)] {
        let mut page = person.get(&format!("/panel/folios?size=25{order}")).await.text();
        let mut seen = names(&page);
        assert_eq!(seen[0], format!("F{first}"));
        assert!(address(&page, "prev").is_none());
        let mut pages = vec![seen.clone()];
        while let Some(next) = address(&page, "next") {
            page = person.get(&next).await.text();
            seen.extend(names(&page));
            pages.push(names(&page));
        }
        assert_eq!((seen.len(), pages.len()), (60, 3), "{order}");
        assert!(page.contains("51 a 60 de 60"), "{page}");
        for earlier in [1, 0] {
            page = person.get(&address(&page, "prev").unwrap()).await.text();
            assert_eq!(names(&page), pages[earlier], "{order}");
        }
        assert!(address(&page, "prev").is_none());
    }
    let large = person.get("/panel/folios?size=50").await.text();
    assert_eq!(names(&large).len(), 50);
    assert!(large.len() < 100_000, "{}", large.len());
    assert_eq!(
        names(&person.get("/panel/folios?size=7000").await.text()).len(),
        25
    );
}

#[tokio::test]
async fn a_list_is_sorted_by_name_state_and_end_in_pages() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    // Names that differ in accents and capitals only stay side by side, and the same name may be there many times.
    let given = ["zorro", "Ñandú", "ábaco", "Abeja", "nube"];
    for number in 0..60 {
        let name = format!("{} {:02}", given[number % 5], number / 10);
        let wanted = folio().with("folioName", name.as_str());
        match number {
            0..10 => acme.created_in(FolioState::Cancelled, wanted).await,
            10..15 => acme.created_in(FolioState::Signed, wanted).await,
            _ => acme.created(wanted).await,
        };
    }
    app.tamper(
        "UPDATE folios SET expires_at = 4000000000000000 - seq WHERE seq % 2 = 0 AND state = 'pending'",
    )
    .await;
    settled(&app).await;
    for (order, sorted, count) in [
        ("name", "ascending", 60),
        ("state", "ascending", 60),
        ("ending", "", 23),
    ] {
        let mut page = person.get(&format!("/panel/folios?order={order}")).await.text();
        assert!(
            sorted.is_empty() || page.contains(&format!("aria-sort=\"{sorted}\"")),
            "{page}"
        );
        let mut pages = vec![names(&page)];
        while let Some(next) = address(&page, "next") {
            page = person.get(&next).await.text();
            pages.push(names(&page));
        }
        let seen = pages.concat();
        assert_eq!(seen.len(), count, "{order}: {seen:?}");
        match order {
            "name" => {
                let keys: Vec<String> = seen.iter().map(|name| domain::search::sort_key(name)).collect();
                assert!(keys.is_sorted(), "{seen:?}");
                assert_eq!((&*seen[0], &*seen[12]), ("ábaco 00", "Abeja 00"));
            }
            "state" => {
                assert_eq!(seen[0], "nube 05", "pending, the newest first");
                assert_eq!(seen[45], "nube 01", "then signed ones");
                assert_eq!(seen[50], "nube 00", "then cancelled ones");
            }
            _ => assert_eq!((&*seen[0], &*seen[22]), ("nube 05", "zorro 01"), "{seen:?}"),
        }
        for earlier in pages.iter().rev().skip(1) {
            page = person.get(&address(&page, "prev").unwrap()).await.text();
            assert_eq!(names(&page), *earlier, "{order}");
        }
        let file = person
            .get(&format!("/panel/folios.json?order={order}"))
            .await
            .json();
        assert_eq!(file["folios"].as_array().unwrap().len(), count, "{order}");
        assert_eq!(file["folios"][0]["name"], seen[0], "{order}");
    }
    // A search goes by its own order, and says so.
    let page = person.get("/panel/folios?order=name&q=zorro").await.text();
    assert!(page.contains("va siempre por fecha de creación"), "{page}");
    // In one state, by name; a folio that changes its state between two pages neither hides nor repeats another.
    let page = person
        .get("/panel/folios?order=name&state=cancelled")
        .await
        .text();
    assert_eq!(names(&page)[..3], ["ábaco 00", "ábaco 00", "Abeja 00"]);
    let first = person.get("/panel/folios?order=state").await.text();
    let next = address(&first, "next").unwrap();
    let moved = names(&first).pop().unwrap();
    app.tamper(
        "UPDATE folios SET state = 'cancelled' WHERE seq = (SELECT seq FROM folios ORDER BY seq DESC LIMIT 1 OFFSET 24)",
    )
    .await;
    let second = names(&person.get(&next).await.text());
    assert_eq!(second.len(), 25);
    assert_eq!(
        second.iter().filter(|name| **name == moved).count(),
        1,
        "another of that name: {second:?}"
    );
    assert_eq!(second[20], "nube 01");
}

#[tokio::test]
async fn exact_matches_come_first_and_once() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    named(&acme, "El exacto", "700").await;
    for number in 0..30 {
        named(&acme, &format!("Otro {number}"), &format!("700{number}")).await;
    }
    settled(&app).await;
    let page = person.get("/panel/folios?q=700").await.text();
    assert_eq!(names(&page)[0], "El exacto");
    let rest = person.get(&address(&page, "next").unwrap()).await.text();
    let all: Vec<String> = names(&page).into_iter().chain(names(&rest)).collect();
    assert_eq!(all.len(), 31, "{all:?}");
    assert_eq!(all.iter().filter(|name| *name == "El exacto").count(), 1);
}

#[tokio::test]
async fn folios_are_filtered_by_what_marks_them() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    named(&acme, "Sin entregar", "1001").await;
    app.give_up().await;
    returned(
        &acme,
        &named(&acme, "Devuelto", "1001").await,
        ReturnKind::Bounced,
    )
    .await;
    returned(
        &acme,
        &named(&acme, "No deseado", "1001").await,
        ReturnKind::Complained,
    )
    .await;
    let dropped = acme
        .created_in(FolioState::Cancelled, folio().with("folioName", "Retirado"))
        .await;
    acme.act(&dropped, FolioAct::Drop).await;
    let form = Form::new()
        .text("csrf", person.csrf().await)
        .text("name", "El mío")
        .text("message", "Por favor revise y firme.")
        .text("name0", "Andrés Peña")
        .text("kind0", "CC")
        .text("number0", "1020304050")
        .text("email0", "andres@example.com")
        .text("mobile0", "3001234567")
        .file("documents", "contrato.pdf", pdf::contract());
    let made = person.post_form("/panel/folios/new", form).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let (soon, late) = (Duration::from_hours(24 * 3), Duration::from_hours(24 * 30));
    for (name, span) in [("Vence tarde", late), ("Vence pronto", soon)] {
        let id = named(&acme, name, "1001").await;
        let ends = app.app().clock.now().after(span).as_micros();
        app.tamper(&format!(
            "UPDATE folios SET expires_at = {ends} WHERE seq = (SELECT MAX(seq) FROM folios)"
        ))
        .await;
        assert!(!id.is_empty());
    }
    settled(&app).await;
    let undelivered = ["No deseado", "Devuelto", "Sin entregar"];
    for (mark, expected) in [
        ("dropped", ["Retirado"].as_slice()),
        ("undelivered", &undelivered),
        ("mine", &["El mío"]),
        ("expiring", &["Vence pronto"]),
    ] {
        for query in ["", "&order=oldest", "&q=1"] {
            let page = person
                .get(&format!("/panel/folios?mark={mark}{query}"))
                .await
                .text();
            if query == "&q=1" && expected != ["El mío"] {
                continue;
            }
            let mut shown = names(&page);
            if query == "&order=oldest" {
                shown.reverse();
            }
            assert_eq!(shown, expected, "{mark}{query}");
        }
    }
    let searched = person
        .get("/panel/folios?mark=undelivered&q=devuelto")
        .await
        .text();
    assert_eq!(names(&searched), ["Devuelto"]);
    let searched = person.get("/panel/folios?mark=dropped&q=retirado").await.text();
    assert_eq!(names(&searched), ["Retirado"]);
    let none = person.get("/panel/folios?mark=expiring&q=tarde").await.text();
    assert!(names(&none).is_empty(), "{none}");
    let reader = acme.signed_in("lectora@acme.example", Reader).await;
    let hers = reader.get("/panel/folios?mark=mine").await.text();
    assert!(hers.contains("Ningún folio coincide"), "{hers}");
}

async fn act(
    person: &PanelBrowser<'_>,
    act: &str,
    ids: &[String],
    more: &[(&str, &str)],
) -> testkit::TestResponse {
    let mut fields = vec![("act", act)];
    fields.extend(ids.iter().map(|id| ("folio", id.as_str())));
    fields.extend(more);
    person.post("/panel/folios/acts?q=contrato", &fields).await
}

#[tokio::test]
async fn several_are_cancelled_or_resent_after_a_question() {
    let app = TestApp::start().await;
    let (acme, other) = (app.company("Acme").await, app.company("Other").await);
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let ids = [
        named(&acme, "Contrato uno", "1001").await,
        named(&acme, "Contrato dos", "1002").await,
        acme.created_in(FolioState::Cancelled, folio()).await,
    ];
    let theirs = named(&other, "Ajeno", "1001").await;
    assert_eq!(act(&person, "cancel", &[], &[]).await.status, 422);
    let many: Vec<String> = (0..=limits::CANCEL_FOLIOS).map(|n| format!("{n:032x}")).collect();
    assert_eq!(act(&person, "cancel", &many, &[]).await.status, 422);
    assert_eq!(act(&person, "resend", &[theirs], &[]).await.status, 404);

    let asked = act(&person, "resend", &ids, &[]).await.text();
    assert!(
        asked.contains("Contrato uno") && asked.contains("Contrato dos"),
        "{asked}"
    );
    let sent = act(&person, "resend", &ids, &[("sure", "1")]).await;
    let to = sent.header("location").unwrap();
    assert_eq!(to, "/panel/folios?q=contrato&done=resent&n=2&failed=1");
    let page = person.get(to).await.text();
    assert!(page.contains("Los mensajes de 2 folios van en camino. Con otro no fue posible."));
    assert_eq!(acme.messages(&ids[0]).await.len(), 2);

    let why = ("observation", "El cliente desistió.");
    let short = act(&person, "cancel", &ids, &[("sure", "1"), ("observation", "No")]).await;
    assert_eq!(short.status, 422);
    assert!(short.text().contains("id=\"observation-error\""));
    let done = act(&person, "cancel", &ids, &[("sure", "1"), why]).await;
    let to = done.header("location").unwrap();
    assert_eq!(to, "/panel/folios?q=contrato&done=cancelled&n=2&failed=1");
    let state = acme.read(&ids[0]).await.at("/data/folioData/stateName");
    assert_eq!(state, "ANULADO");
}

#[tokio::test]
async fn a_list_is_handed_out_as_a_file() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    named(&acme, "=SUMA(A1)", "1001").await;
    acme.created(folio().with("folioName", "Con dos").signers(&signers(2)))
        .await;
    acme.created_in(FolioState::Cancelled, folio()).await;
    settled(&app).await;
    let csv = person.get("/panel/folios.csv?state=pending").await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let text = csv.text();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(
        text.contains("\"'=SUMA(A1)\"") && text.contains("\"0 de 2\""),
        "{text}"
    );
    let json = person.get("/panel/folios.json?q=dos").await.json();
    assert_eq!(json["complete"], true);
    assert_eq!(json["folios"][0]["name"], "Con dos");
    assert_eq!(json["folios"][0]["signers"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn searches_are_kept_by_each_person() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    let other = acme.signed_in("otra@acme.example", Reader).await;
    named(&acme, "Contrato uno", "1001").await;
    let save = async |query: &str, name: &str| {
        let path = format!("/panel/folios/searches{query}");
        person.post(&path, &[("name", name)]).await
    };
    for (query, name) in [("", "Todo"), ("?state=pending", " ")] {
        assert_eq!(save(query, name).await.status, 422, "{query} {name}");
    }
    let saved = save("?q=uno&state=pending&order=oldest&done=x", "Los <primeros>").await;
    assert_eq!(saved.status, 303);
    let page = person.get(saved.header("location").unwrap()).await.text();
    let link =
        "<a href=\"/panel/folios?q=uno&#38;state=pending&#38;order=oldest\">Los &#60;primeros&#62;</a>";
    assert!(
        page.contains("Se guardó la búsqueda") && page.contains(link),
        "{page}"
    );
    assert!(!other.get("/panel/folios").await.text().contains("primeros"));
    for number in 1..limits::SAVED_SEARCHES {
        assert_eq!(
            save("?state=pending", &format!("Otra {number}")).await.status,
            303
        );
    }
    assert_eq!(save("?state=pending", "Una más").await.status, 422);
    assert_eq!(
        save("?state=signed", "Otra 1").await.status,
        303,
        "in place of the old one"
    );
    let (before, _) = page.split_once("/remove\"").unwrap();
    let row = before.rsplit('/').next().unwrap();
    let remove = format!("/panel/folios/searches/{row}/remove");
    assert_eq!(other.post(&remove, &[]).await.status, 303);
    assert!(
        person.get("/panel/folios").await.text().contains("primeros"),
        "not another's"
    );
    assert_eq!(person.post(&remove, &[]).await.status, 303);
    assert!(!person.get("/panel/folios").await.text().contains("primeros"));
}
