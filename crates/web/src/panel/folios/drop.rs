//! `/panel/folios/{folio}/drop`: asks first, and drops a finished folio.

use super::page::open;
use super::{address, caller};
use crate::panel::confirm::ConfirmPage;
use crate::panel::desk::{Administer, Desk};
use crate::panel::frame::Place;
use crate::panel::posted::Posted;
use app::{Error, Judged};
use axum::extract::Path;
use axum::response::Response;
use domain::Refusal;

/// A folio that can be dropped.
async fn finished(desk: &Desk, id: &str) -> Result<domain::Folio, Response> {
    let folio = open(desk, id).await?.folio;
    if folio.dropped || !folio.state.is_final() {
        return Err(desk.trouble(Error::Refused(Refusal::NotFinal)));
    }
    Ok(folio)
}

pub(crate) async fn page(Administer(desk): Administer, Path(id): Path<String>) -> Response {
    let folio = match finished(&desk, &id).await {
        Ok(folio) => folio,
        Err(answer) => return answer,
    };
    let l = desk.l;
    desk.page(&ConfirmPage {
        f: desk.frame(Place::Folios),
        title: l.drop_title().to_owned(),
        lead: l.drop_lead().to_owned(),
        lasting: true,
        about: vec![folio.name.as_str().to_owned()],
        action: format!("{}/drop", address(folio.id)),
        fields: Vec::new(),
        button: l.drop_do().to_owned(),
        back: address(folio.id),
    })
}

pub(crate) async fn drop_it(Administer(desk): Administer, Path(id): Path<String>, _: Posted) -> Response {
    let folio = match finished(&desk, &id).await {
        Ok(folio) => folio,
        Err(answer) => return answer,
    };
    match desk.web.app.drop_folios(caller(&desk), vec![folio.id]).await {
        Ok(judged) => match judged.first() {
            Some((_, Judged::Refused(refusal))) => desk.trouble(Error::Refused(*refusal)),
            _ => desk.go(&format!("{}?done=dropped", address(folio.id))),
        },
        Err(error) => desk.trouble(error),
    }
}
