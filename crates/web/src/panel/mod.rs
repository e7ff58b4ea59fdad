//! The panel: where a company's users manage their folios. A file per page. The extractors of [`auth`] in a
//! handler's signature require a role, and those of [`csrf_form`] the CSRF token.

mod account;
mod anonymous;
mod approvals;
mod audit;
mod auth;
mod chart;
mod company;
mod company_sign_in;
mod confirm;
mod cookies;
mod csrf_form;
mod csv;
mod file_upload;
mod folios;
mod identity_provider;
mod keys;
mod language;
mod layout;
mod message_page;
mod overview;
mod pagination;
mod password_reset;
mod people;
mod proof_errors;
mod qr;
mod requests;
mod sample_data;
pub mod samples;
mod second_factor;
mod sign_in;
mod templates;
mod texts;
mod users;
mod webhooks;

pub(crate) use anonymous::not_found;

use crate::Web;
use crate::page::see_other;
use axum::Router;
use axum::response::Response;

/// The start page.
const HOME: &str = "/panel/folios";
/// Characters of an address to return to.
const MAX_PATH: usize = 500;

macro_rules! routes {
    ($($method:ident $path:literal => $handler:path;)*) => {
        /// Every address of the panel with its method; a test has to know who may call each.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), $path)),*];

        pub(crate) fn routes() -> Router<Web> {
            Router::new()$(.route($path, axum::routing::$method($handler)))*
        }
    };
}

routes! {
    get "/panel" => home;
    get "/panel/sign-in" => sign_in::page;
    post "/panel/sign-in" => sign_in::enter;
    get "/panel/sign-in/code" => sign_in::code_page;
    post "/panel/sign-in/code" => sign_in::enter_code;
    get "/panel/sign-in/with/{provider}" => company_sign_in::begin;
    get "/panel/sign-in/with/{provider}/callback" => company_sign_in::finish;
    post "/panel/sign-out" => sign_in::leave;
    post "/panel/language" => language::choose;
    post "/panel/account/language" => language::keep;
    get "/panel/forgotten" => password_reset::page;
    post "/panel/forgotten" => password_reset::ask;
    get "/panel/reset" => password_reset::link;
    post "/panel/reset" => password_reset::choose;
    get "/panel/folios" => folios::list::page;
    get "/panel/folios.csv" => folios::export::csv;
    get "/panel/folios.json" => folios::export::json;
    post "/panel/folios/acts" => folios::acts::act;
    post "/panel/folios/searches" => folios::saved_searches::save;
    post "/panel/folios/searches/{search}/remove" => folios::saved_searches::remove;
    get "/panel/folios/new" => folios::new::page;
    post "/panel/folios/new" => folios::new::create;
    post "/panel/folios/drafts/{draft}/discard" => folios::new::discard;
    get "/panel/folios/{folio}" => folios::page::page;
    post "/panel/folios/{folio}/messages" => folios::page::retry;
    post "/panel/folios/{folio}/signers/{signer}/free" => folios::page::free;
    post "/panel/folios/{folio}/signers/{signer}/link" => folios::page::link;
    get "/panel/folios/{folio}/resend" => folios::resend::page;
    post "/panel/folios/{folio}/resend" => folios::resend::send;
    get "/panel/folios/{folio}/cancel" => folios::cancel::page;
    post "/panel/folios/{folio}/cancel" => folios::cancel::cancel;
    get "/panel/folios/{finished}/drop" => folios::drop::page;
    post "/panel/folios/{finished}/drop" => folios::drop::drop_folio;
    get "/panel/folios/{finished}/erase" => folios::erase::page;
    post "/panel/folios/{finished}/erase" => folios::erase::erase;
    get "/panel/folios/{folio}/hold" => folios::erase::hold_page;
    post "/panel/folios/{folio}/hold" => folios::erase::hold;
    get "/panel/folios/{folio}/evidence.json" => folios::files::json;
    get "/panel/folios/{folio}/evidence.pdf" => folios::files::pdf;
    get "/panel/folios/{folio}/documents/{document}" => folios::files::file;
    get "/panel/folios/{folio}/documents/{document}/view" => folios::files::view;
    get "/panel/folios/{folio}/documents/{document}/pages/{file}" => folios::files::page;
    get "/panel/templates" => templates::page;
    post "/panel/templates" => templates::save::save;
    get "/panel/templates/new" => templates::save::page;
    get "/panel/templates/{template}" => templates::template_page::page;
    post "/panel/templates/{template}/use" => templates::template_page::start;
    post "/panel/templates/{template}/rename" => templates::template_page::rename;
    get "/panel/templates/{template}/delete" => templates::template_page::delete_page;
    post "/panel/templates/{template}/delete" => templates::template_page::delete;
    get "/panel/templates/{template}/people.csv" => templates::import::sample;
    get "/panel/templates/{template}/import" => templates::import::page;
    post "/panel/templates/{template}/import" => templates::import::upload;
    post "/panel/templates/{template}/import/make" => templates::import::make;
    get "/panel/approvals" => approvals::page;
    post "/panel/approvals" => approvals::decide;
    get "/panel/overview" => overview::page;
    get "/panel/overview.csv" => overview::export;
    get "/panel/account" => account::page;
    post "/panel/account/password" => account::password;
    get "/panel/account/second-factor" => second_factor::page;
    post "/panel/account/second-factor" => second_factor::finish;
    post "/panel/account/second-factor/remove" => second_factor::remove;
    post "/panel/account/recovery" => second_factor::renew;
    get "/panel/keys" => keys::page;
    post "/panel/keys" => keys::make;
    get "/panel/keys/requests" => requests::page;
    get "/panel/keys/{key}/rotate" => keys::rotate_page;
    post "/panel/keys/{key}/rotate" => keys::rotate;
    post "/panel/keys/{key}/revoke" => keys::revoke;
    get "/panel/company" => company::page;
    post "/panel/company" => company::save;
    post "/panel/company/logo" => company::logo;
    post "/panel/company/logo/remove" => company::remove_logo;
    get "/panel/company/sign-in" => identity_provider::page;
    post "/panel/company/sign-in" => identity_provider::save;
    get "/panel/company/sign-in/try" => company_sign_in::try_it;
    post "/panel/company/sign-in/on" => identity_provider::turn_on;
    post "/panel/company/sign-in/off" => identity_provider::turn_off;
    post "/panel/company/sign-in/remove" => identity_provider::remove;
    get "/panel/people" => people::page;
    post "/panel/people/export" => people::export;
    post "/panel/people/correct" => people::correct;
    get "/panel/audit" => audit::page;
    get "/panel/audit.csv" => audit::export;
    get "/panel/users" => users::page;
    post "/panel/users" => users::invite;
    post "/panel/users/invitations/{invitation}/resend" => users::resend_invitation;
    post "/panel/users/invitations/{invitation}/withdraw" => users::withdraw_invitation;
    get "/panel/users/{user}" => users::one;
    post "/panel/users/{user}/role" => users::role;
    post "/panel/users/{user}/invite" => users::invite_again;
    post "/panel/users/{user}/disable" => users::disable;
    post "/panel/users/{user}/enable" => users::enable;
    post "/panel/users/{user}/second-factor" => users::second_factor;
    post "/panel/users/{user}/identity" => users::unlink;
    get "/panel/webhooks" => webhooks::page;
    post "/panel/webhooks" => webhooks::add;
    get "/panel/webhooks/{webhook}" => webhooks::one;
    post "/panel/webhooks/{webhook}/test" => webhooks::test;
    post "/panel/webhooks/{webhook}/secret" => webhooks::secret;
    post "/panel/webhooks/{webhook}/disable" => webhooks::disable;
    post "/panel/webhooks/{webhook}/enable" => webhooks::enable;
    post "/panel/webhooks/{webhook}/kinds" => webhooks::kinds::save;
    post "/panel/webhooks/{webhook}/replay" => webhooks::replay::send;
    post "/panel/webhooks/{webhook}/remove" => webhooks::remove;
    get "/panel/webhooks/deliveries/{delivery}" => webhooks::delivery::page;
    post "/panel/webhooks/deliveries/{delivery}/resend" => webhooks::resend;
    post "/panel/account/sessions" => account::end_others;
    post "/panel/account/sessions/{session}/end" => account::end;
}

/// `GET /panel`.
async fn home(_: auth::RequireReader) -> Response {
    see_other(HOME)
}

/// The page that a form's address belongs to: the nearest above it that can be opened.
pub(crate) fn page_of(path: &str) -> &str {
    let form = ROUTES
        .iter()
        .find(|(method, route)| *method == "post" && fits(route, path));
    let (mut route, mut page) = (form.map_or("", |(_, route)| *route), path);
    while let (Some((route_above, _)), Some((page_above, _))) =
        (route.rsplit_once('/'), page.rsplit_once('/'))
    {
        if ROUTES.contains(&("get", route_above)) {
            return page_above;
        }
        (route, page) = (route_above, page_above);
    }
    HOME
}

/// Whether an address is a page of the panel, so that a browser can be sent there.
fn is_panel_path(path: &str) -> bool {
    let plain = |c: char| c.is_ascii_graphic() && c != '\\';
    (path == "/panel" || path.starts_with("/panel/"))
        && path.len() <= MAX_PATH
        && path.chars().all(plain)
        && !path.contains("//")
        && !path.contains("..")
}

/// Whether it is an address of the route.
fn fits(route: &str, path: &str) -> bool {
    let (route, path): (Vec<_>, Vec<_>) = (route.split('/').collect(), path.split('/').collect());
    let alike = |(known, part): (&&str, &&str)| known.starts_with('{') || known == part;
    route.len() == path.len() && route.iter().zip(&path).all(alike)
}

#[cfg(test)]
mod tests {
    use super::page_of;

    #[test]
    fn a_forms_address_belongs_to_the_page_above_it() {
        for (form, page) in [
            ("/panel/sign-out", "/panel"),
            ("/panel/users/7/disable", "/panel/users/7"),
            ("/panel/users/invitations/7/withdraw", "/panel/users"),
            ("/panel/keys/7/revoke", "/panel/keys"),
            ("/panel/webhooks/7/remove", "/panel/webhooks/7"),
            (
                "/panel/webhooks/deliveries/7/resend",
                "/panel/webhooks/deliveries/7",
            ),
            ("/panel/company/logo/remove", "/panel/company"),
            ("/panel/account/password", "/panel/account"),
            ("/panel/account/sessions/7/end", "/panel/account"),
            ("/panel/folios/7/messages", "/panel/folios/7"),
        ] {
            assert_eq!(page_of(form), page, "{form}");
        }
    }
}
