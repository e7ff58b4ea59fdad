//! Every page of the panel with sample data: for tests, and to look at. A new page adds its samples in its
//! own file and a line here.

use super::account;
use super::approvals;
use super::confirm::ConfirmPage;
use super::folios;
use super::layout::Section;
use super::message_page::{PanelMessage, PanelMessagePage};
use super::overview;
use super::password_reset::{ForgottenPage, ResetPage};
use super::people;
use super::sample_data::{anonymous_layout, frame, sample};
use super::second_factor;
use super::sign_in::{CodePage, CompanyButton, SignInPage};
use super::templates;
use super::users;
use super::webhooks;
use super::{audit, company, company_sign_in, identity_provider, keys, requests};
use crate::page::PanelLang;
use crate::signer::samples::Sample;
use app::panel::{Role, WeakPassword};

/// Every page.
pub fn all() -> Vec<Sample> {
    PanelLang::ALL.into_iter().flat_map(pages).collect()
}

fn pages(l: PanelLang) -> Vec<Sample> {
    let sign_in = |error: Option<&str>| SignInPage {
        f: anonymous_layout(l, Section::Nowhere),
        email: if error.is_some() {
            "luisa.gomez@losandes.example"
        } else {
            ""
        }
        .to_owned(),
        next: "/panel/folios".to_owned(),
        error: error.map(str::to_owned),
        company: error.is_none().then(|| CompanyButton {
            name: "Inmobiliaria Los Andes S.A.S.".to_owned(),
            address: "/panel/sign-in/with/0707".to_owned(),
        }),
        sent_here: false,
    };
    let code = CodePage {
        f: anonymous_layout(l, Section::Nowhere),
        next: String::new(),
        error: Some(l.wrong_code_panel().to_owned()),
    };
    let confirm = ConfirmPage {
        f: frame(l, Section::Account, Role::Administrator),
        title: l.sessions_end().to_owned(),
        lead: l.sessions_lead().to_owned(),
        lasting: true,
        about: vec!["Firefox, Windows".to_owned(), "Safari, iPhone".to_owned()],
        action: "/panel/account/sessions".to_owned(),
        fields: vec![("id", "1".to_owned())],
        button: l.sessions_end().to_owned(),
        back: "/panel/account".to_owned(),
    };
    let mut samples = vec![
        sample(l, "sign-in", &sign_in(None)),
        sample(l, "sign-in-wrong", &sign_in(Some(l.wrong_password()))),
        sample(l, "code-wrong", &code),
        sample(l, "confirm", &confirm),
    ];
    for (name, message) in [
        ("not-found", PanelMessage::NotFound),
        ("not-allowed", PanelMessage::NotAllowed),
        ("broken-history", PanelMessage::BrokenHistory),
        ("internal", PanelMessage::Internal("0f1e2d3c4b5a6978".to_owned())),
    ] {
        let f = frame(l, Section::Nowhere, Role::Reader);
        samples.push(sample(l, name, &PanelMessagePage { f, message }));
    }
    for (name, message) in [
        ("dead-link", PanelMessage::DeadLink),
        ("account-exists", PanelMessage::AccountExists),
    ] {
        let f = anonymous_layout(l, Section::Nowhere);
        samples.push(sample(l, name, &PanelMessagePage { f, message }));
    }
    for sent in [false, true] {
        let f = anonymous_layout(l, Section::Nowhere);
        let name = if sent { "forgotten-sent" } else { "forgotten" };
        samples.push(sample(l, name, &ForgottenPage { f, sent }));
    }
    let reset = ResetPage {
        f: anonymous_layout(l, Section::Nowhere),
        token: "c2FtcGxl".to_owned(),
        email: "luisa.gomez@losandes.example".to_owned(),
        error: Some(l.weak_password(WeakPassword::Common)),
        provider: None,
        provider_only: false,
    };
    let invited = ResetPage {
        f: anonymous_layout(l, Section::Nowhere),
        token: "c2FtcGxl".to_owned(),
        email: "luisa.gomez@losandes.example".to_owned(),
        error: None,
        provider: Some("/panel/sign-in/with/0707?t=c2FtcGxl".to_owned()),
        provider_only: true,
    };
    samples.push(sample(l, "reset-company", &invited));
    samples.push(sample(l, "reset", &reset));
    samples.extend(account::samples(l));
    samples.extend(second_factor::samples(l));
    samples.extend(folios::samples::all(l));
    samples.extend(templates::samples::all(l));
    samples.extend(approvals::samples(l));
    samples.extend(overview::samples(l));
    samples.extend(users::samples(l));
    samples.extend(webhooks::samples(l));
    samples.extend(keys::samples(l));
    samples.extend(requests::samples(l));
    samples.extend(company::samples(l));
    samples.extend(company_sign_in::samples(l));
    samples.extend(identity_provider::samples(l));
    samples.extend(people::samples(l));
    samples.extend(audit::samples(l));
    samples
}
