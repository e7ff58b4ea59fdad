//! The guide for integrators: its pages, their links, and what they take from the program.

use std::collections::{BTreeMap, BTreeSet};
use testkit::{Company, TestApp};

/// The values of an attribute on a page.
fn values<'h>(html: &'h str, attribute: &str) -> Vec<&'h str> {
    let opening = format!(" {attribute}=\"");
    let rests = html.split(opening.as_str()).skip(1);
    rests.filter_map(|rest| rest.split('"').next()).collect()
}

/// Every page of both editions by its address, found by following links.
async fn pages(reader: &Company<'_>) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut open = vec!["/docs".to_owned()];
    while let Some(address) = open.pop() {
        if pages.contains_key(&address) {
            continue;
        }
        let page = reader.get(&address).await;
        assert_eq!(page.status, 200, "{address}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        let html = page.text();
        let links = values(&html, "href").into_iter();
        let addresses = links.map(|link| link.split('#').next().unwrap_or_default().to_owned());
        open.extend(addresses.filter(|address| address.starts_with("/docs")));
        pages.insert(address, html);
    }
    pages
}

#[tokio::test]
async fn every_link_leads_somewhere_and_nothing_comes_from_elsewhere() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    let pages = pages(&nobody).await;
    let (english, spanish): (Vec<_>, Vec<_>) = pages.keys().partition(|path| path.starts_with("/docs/en"));
    assert_eq!((spanish.len(), english.len()), (18, 18));
    let mut others = BTreeSet::new();
    for (address, html) in &pages {
        for link in values(html, "href").into_iter().chain(values(html, "src")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let anchor = percent_encoding::percent_decode_str(anchor)
                .decode_utf8()
                .unwrap();
            let target = if path.is_empty() { address } else { path };
            match pages.get(target) {
                Some(page) if !anchor.is_empty() => {
                    assert!(page.contains(&format!(" id=\"{anchor}\"")), "{address} to {link}");
                }
                Some(_) => {}
                None if link.starts_with("data:") => {}
                None if link.starts_with("https://") => {
                    assert!(
                        html.contains(&format!("<a href=\"{link}\"")),
                        "{link} is no mere link"
                    );
                }
                None => {
                    assert!(link.starts_with('/'), "{address} to {link}");
                    others.insert(path.to_owned());
                }
            }
        }
    }
    for path in others {
        assert_eq!(nobody.get(&path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn pages_run_only_their_own_script_and_send_only_to_the_service() {
    let app = TestApp::start().await;
    let page = app
        .company("Acme")
        .await
        .saying(None)
        .get("/docs/crear-folio")
        .await;
    let policy = page.header("content-security-policy").unwrap();
    for rule in ["default-src 'none'", "script-src 'self'", "connect-src 'self'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!page.text().contains(" style=") && !page.text().contains(" onclick="));
}

#[tokio::test]
async fn every_error_of_the_table_is_in_the_catalogue_of_both_editions() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    for address in ["/docs/errores", "/docs/en/errors"] {
        let page = nobody.get(address).await;
        let html = page.text();
        for row in web::api::error_table() {
            let body: serde_json::Value = serde_json::from_str(&row.body).unwrap();
            let message = body.pointer("/error/message").unwrap_or(&body["message"]);
            let cell = format!("\">{}</td></tr>", message.as_str().unwrap());
            assert!(html.contains(&cell), "{address}: {cell}");
        }
    }
}

#[tokio::test]
async fn examples_have_the_address_of_the_installation() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    for (address, html) in pages(&nobody).await {
        assert!(!html.contains("127.0.0.1:8080"), "{address}");
    }
    let page = nobody.get("/docs/crear-folio").await;
    assert!(
        page.text()
            .contains("https://firmeza.example.com/api/integrations/sign")
    );
}

#[tokio::test]
async fn the_search_index_names_sections_of_pages() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    let pages = pages(&nobody).await;
    for index in ["/docs/search.json", "/docs/en/search.json"] {
        let entries = nobody.get(index).await.json();
        let entries = entries.as_array().unwrap();
        assert!(entries.len() > 80, "{index} has {}", entries.len());
        for entry in entries {
            let address = entry["address"].as_str().unwrap();
            let (path, anchor) = address.split_once('#').unwrap();
            assert!(pages[path].contains(&format!(" id=\"{anchor}\"")), "{address}");
        }
    }
}
