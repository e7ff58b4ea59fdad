//! A server of samples: pages made up, images of pages drawn from a real document.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use render::{Launch, Limits, Pool, Rendered, Source};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use web::signer::samples::{self, Sample};

#[derive(Clone)]
struct Shown {
    pages: Arc<Vec<Sample>>,
    pool: Arc<Pool>,
    contract: Source,
}

pub(crate) struct Samples {
    address: SocketAddr,
    names: Vec<String>,
}

impl Samples {
    pub(crate) async fn serve() -> Self {
        let launch = Launch {
            program: env!("CARGO_BIN_EXE_render_worker").into(),
            arguments: Vec::new(),
        };
        let all = samples::all().into_iter().chain(web::panel::samples::all());
        let pages = Arc::new(all.collect::<Vec<_>>());
        let names = pages.iter().map(|sample| sample.name.clone());
        let names = names.filter(|name| !name.starts_with("fragment")).collect();
        let shown = Shown {
            pages,
            pool: Arc::new(Pool::new(launch, 1, Limits::default())),
            contract: Source {
                key: [7; 32],
                bytes: testkit::pdf::lease(3).into(),
            },
        };
        let router = Router::new()
            .route("/samples/{name}", get(page))
            .route("/sign/{party}/documents/{document}/pages/{file}", get(image))
            .route(
                "/panel/folios/{folio}/documents/{document}/pages/{file}",
                get(image),
            )
            .route("/assets/{file}", get(asset))
            .with_state(shown);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, names }
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    pub(crate) fn address(&self, name: &str) -> String {
        format!("http://{}/samples/{name}", self.address)
    }
}

async fn page(State(shown): State<Shown>, Path(name): Path<String>) -> Response {
    match shown.pages.iter().find(|sample| sample.name == name) {
        Some(sample) => {
            let mut headers = samples::sample_headers();
            headers.insert(CONTENT_TYPE, "text/html; charset=utf-8".parse().unwrap());
            (headers, sample.html.clone()).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn image(
    State(shown): State<Shown>,
    Path((_, _, file)): Path<(String, String, String)>,
    Query(query): Query<HashMap<String, u32>>,
) -> Response {
    let number: u32 = file.trim_end_matches(".png").parse().unwrap();
    let width = query.get("w").copied().unwrap_or(720);
    let drawn =
        tokio::task::spawn_blocking(move || shown.pool.image(&shown.contract, (number - 1) % 3, width));
    match drawn.await.unwrap() {
        Ok(Rendered::Faithful(picture)) => ([(CONTENT_TYPE, "image/png")], picture.file).into_response(),
        other => panic!("{other:?}"),
    }
}

async fn asset(uri: Uri) -> Response {
    match samples::asset(uri.path()) {
        Some((kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
