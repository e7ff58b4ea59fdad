//! What the samples of all pages share: the time, the layout, and how a page is put under a name.

use super::layout::{LayoutUser, PanelLayout, Section};
use crate::page::PanelLang;
use crate::signer::samples::Sample;
use app::panel::Role;
use domain::Timestamp;
use jiff::tz::TimeZone;

/// When the samples are looked at: 2 March 2026, 9:30 in Bogotá.
pub(crate) const NOW: Timestamp = Timestamp::from_micros(1_772_461_800_000_000);

/// A page under a name.
pub(crate) fn sample(l: PanelLang, name: &str, page: &dyn askama::DynTemplate) -> Sample {
    Sample {
        name: format!("panel-{name}.{}", l.code()),
        html: page.dyn_render().unwrap_or_default(),
    }
}

/// The layout for a user in that role.
pub(crate) fn frame(l: PanelLang, here: Section, role: Role) -> PanelLayout {
    let user = LayoutUser {
        company: "Inmobiliaria Los Andes S.A.S.".to_owned(),
        name: "Luisa Fernanda Gómez".to_owned(),
        email: "luisa.gomez@losandes.example".to_owned(),
        role,
        csrf: "c2FtcGxlLXRva2Vu".to_owned(),
        approval: true,
        lacks_second_factor: false,
    };
    PanelLayout {
        user: Some(user),
        ..anonymous_layout(l, here)
    }
}

/// The layout for a visitor who is not signed in.
pub(crate) fn anonymous_layout(l: PanelLang, here: Section) -> PanelLayout {
    let zone = TimeZone::get("America/Bogota").unwrap_or(TimeZone::UTC);
    PanelLayout {
        zone,
        ..PanelLayout::new(l, here, NOW)
    }
}
