//! Approval in the panel: a queue, a question, a verdict; and nothing of it where the company does not use it.

use domain::FolioState;
use domain::Role::{Reader, Supervisor};
use testkit::{Company, FolioAct, TestApp, folio};

const WHY: &str = "Falta la firma del notario.";

async fn state(company: &Company<'_>, id: &str) -> String {
    company.read(id).await.at("/data/folioData/state")
}

#[tokio::test]
async fn several_are_approved_after_a_question() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.use_approval().await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let none = person.get("/panel/approvals").await.text();
    assert!(none.contains("Nada espera aprobación"));
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(acme.created_in(FolioState::Signed, folio()).await);
    }
    acme.created(folio()).await;
    let queue = person.get("/panel/approvals").await.text();
    assert_eq!(queue.matches("type=\"checkbox\"").count(), 3);
    let nobody = person.post("/panel/approvals", &[("verdict", "approve")]).await;
    assert_eq!(nobody.status, 422);
    assert!(nobody.text().contains("Marque al menos un folio"));
    let chosen = [
        ("folio", ids[0].as_str()),
        ("folio", ids[1].as_str()),
        ("verdict", "approve"),
    ];
    let question = person.post("/panel/approvals", &chosen).await;
    assert_eq!(question.status, 200);
    assert!(question.text().contains("No se puede deshacer"));
    assert_eq!(state(&acme, &ids[0]).await, "1");
    let sure = [chosen[0], chosen[1], chosen[2], ("sure", "1")];
    let done = person.post("/panel/approvals", &sure).await;
    assert_eq!(
        done.header("location"),
        Some("/panel/approvals?done=approved&n=2&failed=0")
    );
    let told = person
        .get("/panel/approvals?done=approved&n=2&failed=1")
        .await
        .text();
    assert!(told.contains("2 folios aprobados. Otro ya no esperaba aprobación."));
    let page = person.get(&format!("/panel/folios/{}", ids[0])).await.text();
    assert!(page.contains("Se aprobó el folio") && page.contains("sup@acme.example"));
    let again = person.post("/panel/approvals", &sure).await;
    assert_eq!(
        again.header("location"),
        Some("/panel/approvals?done=approved&n=0&failed=2")
    );
}

#[tokio::test]
async fn what_was_dropped_hides_nothing_that_waits() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.use_approval().await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let waiting = acme.created_in(FolioState::Signed, folio()).await;
    for _ in 0..=app::folios::PAGE_SIZE {
        let dropped = acme.created_in(FolioState::Signed, folio()).await;
        acme.act(&dropped, FolioAct::Drop).await;
    }
    let queue = person.get("/panel/approvals").await.text();
    assert_eq!(queue.matches("type=\"checkbox\"").count(), 1);
    assert!(queue.contains(&waiting), "{queue}");
    assert!(!queue.contains("?before="), "there is no other page: {queue}");
}

/// Where a link of that kind leads.
fn leads(page: &str, rel: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("rel=\"{rel}\" href=\""))?;
    Some(rest.split('"').next().unwrap().replace("&#38;", "&"))
}

#[tokio::test]
async fn a_long_queue_has_pages_in_both_directions() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.use_approval().await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let mut ids = Vec::new();
    for _ in 0..=2 * app::folios::PAGE_SIZE {
        ids.push(acme.created_in(FolioState::Signed, folio()).await);
    }
    ids.reverse();
    let (mut address, mut seen, mut pages) = ("/panel/approvals".to_owned(), Vec::new(), Vec::new());
    loop {
        let page = person.get(&address).await.text();
        let rows = page.split("name=\"folio\" value=\"").skip(1);
        seen.extend(rows.map(|row| row.split('"').next().unwrap().to_owned()));
        pages.push(address);
        assert_eq!(leads(&page, "prev").is_some(), pages.len() > 1);
        let Some(next) = leads(&page, "next") else { break };
        address = next;
    }
    assert_eq!(seen, ids);
    let last = person.get(&pages[2]).await.text();
    assert!(last.contains("51 a 51"), "{last}");
    let middle = person.get(&leads(&last, "prev").unwrap()).await.text();
    assert!(middle.contains("26 a 50"), "{middle}");
    let first = person.get(&leads(&middle, "prev").unwrap()).await.text();
    assert!(first.contains("1 a 25") && first.contains(&ids[0]), "{first}");
    // A verdict over nothing stays where it was asked for.
    let (_, form) = last
        .split_once("class=\"queue\" method=\"post\" action=\"")
        .unwrap();
    let own = form.split('"').next().unwrap().replace("&#38;", "&");
    let nobody = person.post(&own, &[("verdict", "approve")]).await;
    assert_eq!(nobody.status, 422);
    assert!(nobody.text().contains(&ids[50]), "{}", nobody.text());
}

#[tokio::test]
async fn a_rejection_wants_a_reason() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.use_approval().await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created_in(FolioState::Signed, folio()).await;
    let short = [
        ("folio", id.as_str()),
        ("verdict", "disapprove"),
        ("sure", "1"),
        ("observation", "No"),
    ];
    let answer = person.post("/panel/approvals", &short).await;
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("id=\"observation-error\""));
    let told = [short[0], short[1], short[2], ("observation", WHY)];
    let answer = person.post("/panel/approvals", &told).await;
    let to = answer.header("location").unwrap();
    assert_eq!(to, format!("/panel/folios/{id}?done=disapproved"));
    let page = person.get(to).await.text();
    assert!(page.contains(WHY) && page.contains("Rechazado por la empresa"));
}

#[tokio::test]
async fn a_verdict_leads_to_the_next_folio() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.use_approval().await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let waiting = acme.created_in(FolioState::Signed, folio()).await;
    let first = acme.created_in(FolioState::Signed, folio()).await;
    let queue = person.get("/panel/approvals").await.text();
    assert!(
        queue.contains(&format!("/panel/folios/{first}#documents")),
        "{queue}"
    );
    let verdict = [("folio", first.as_str()), ("verdict", "approve"), ("sure", "1")];
    let judged = person.post("/panel/approvals", &verdict).await;
    let page = person.get(judged.header("location").unwrap()).await.text();
    let next = format!("<a class=\"quiet\" href=\"/panel/folios/{waiting}\">");
    assert!(page.contains(&next), "{page}");
    let document = acme.document_of(&waiting).await;
    let page = person.get(&format!("/panel/folios/{waiting}")).await.text();
    assert!(
        page.contains(&format!("documents/{document}/pages/1.png")),
        "{page}"
    );
}

#[tokio::test]
async fn companies_without_approval_see_none_of_it() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created_in(FolioState::Signed, folio()).await;
    for path in ["/panel/folios", "/panel/overview", &format!("/panel/folios/{id}")] {
        let page = person.get(path).await.text();
        assert!(
            !page.contains("/panel/approvals") && !page.contains("Aprob"),
            "{path}"
        );
    }
    assert_eq!(person.get("/panel/approvals").await.status, 404);
    let verdict = [("folio", id.as_str()), ("verdict", "approve"), ("sure", "1")];
    assert_eq!(person.post("/panel/approvals", &verdict).await.status, 404);
    assert_eq!(state(&acme, &id).await, "1");
}

#[tokio::test]
async fn another_companys_folio_is_not_judged() {
    let app = TestApp::start().await;
    let (acme, other) = (app.company("Acme").await, app.company("Other").await);
    acme.use_approval().await;
    other.use_approval().await;
    let theirs = other.created_in(FolioState::Signed, folio()).await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let fields = [("folio", theirs.as_str()), ("verdict", "approve"), ("sure", "1")];
    assert_eq!(person.post("/panel/approvals", &fields).await.status, 404);
    assert_eq!(person.post("/panel/approvals", &fields[..2]).await.status, 404);
    let reader = other.signed_in("lectora@other.example", Reader).await;
    assert_eq!(reader.post("/panel/approvals", &fields).await.status, 403);
    assert_eq!(state(&other, &theirs).await, "1");
}
