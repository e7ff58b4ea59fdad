//! The company's page with made-up data.

use super::form::{CompanyErrors, CompanyForm};
use super::page::{CompanyPage, keeps_less, zones};
use super::reminder_form::{ReminderErrors, ReminderForm};
use crate::page::PanelLang;
use crate::panel::layout::Section;
use crate::panel::sample_data::{frame, sample};
use crate::signer::samples::Sample;

/// The page as it is filled in, before it is confirmed, and with every error.
pub(in crate::panel) fn samples(l: PanelLang) -> Vec<Sample> {
    let page = |typed: CompanyForm, wrong: CompanyErrors| CompanyPage {
        f: frame(l, Section::Company, app::panel::Role::Administrator),
        typed,
        logo: None,
        zones: zones(),
        usual_zone: "America/Bogota".to_owned(),
        wrong,
    };
    let typed = CompanyForm {
        name: "Inmobiliaria Los Andes S.A.S.".to_owned(),
        own_colour: true,
        colour: "#7a1f5c".to_owned(),
        timezone: "America/Bogota".to_owned(),
        origins: "https://portal.losandes.example".to_owned(),
        approval: true,
        second_factor: true,
        folio_days: "30".to_owned(),
        retention_days: "3650".to_owned(),
        erase_signed: "3660".to_owned(),
        erase_rejected: "365".to_owned(),
        erase_cancelled: "365".to_owned(),
        erase_pending: String::new(),
        reminders: ReminderForm {
            first: "3".to_owned(),
            every: "2".to_owned(),
            max: "3".to_owned(),
            before: "1".to_owned(),
        },
        contact_name: "Servicio al cliente".to_owned(),
        contact_email: "ayuda@losandes.example".to_owned(),
        contact_phone: "601 345 6789".to_owned(),
        auto_return: true,
        read_to_end: true,
        picture: "optional".to_owned(),
        language: "pt".to_owned(),
        legal_basis: String::new(),
    };
    let wrong = CompanyErrors {
        name: Some(l.company_name_taken()),
        colour: Some(l.colour_malformed()),
        timezone: Some(l.timezone_malformed()),
        language: Some(l.company_language_malformed()),
        legal_basis: Some(l.legal_basis_malformed()),
        picture: Some(l.picture_malformed()),
        origins: Some(l.origin_malformed("portal")),
        folio_days: Some(l.days_malformed()),
        retention_days: Some(l.days_malformed()),
        erase_signed: Some(l.days_malformed()),
        erase_rejected: Some(l.days_malformed()),
        erase_cancelled: Some(l.days_malformed()),
        erase_pending: Some(l.days_malformed()),
        reminders: ReminderErrors {
            first: Some(l.reminder_first_missing()),
            every: Some(l.reminder_days_malformed()),
            max: Some(l.reminder_max_malformed()),
            before: Some(l.reminder_days_malformed()),
        },
        second_factor: Some(l.second_factor_own_first()),
        contact_name: Some(l.contact_name_malformed()),
        contact_email: Some(l.email_malformed()),
        contact_phone: Some(l.contact_phone_malformed()),
        logo: Some(l.logo_malformed()),
    };
    vec![
        sample(l, "company", &page(typed.clone(), CompanyErrors::default())),
        sample(
            l,
            "company-sure",
            &keeps_less(
                frame(l, Section::Company, app::panel::Role::Administrator),
                &typed,
                true,
            ),
        ),
        sample(l, "company-wrong", &page(typed, wrong)),
    ]
}
