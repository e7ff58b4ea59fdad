//! The company's page, and what it saves.

use super::form::{CompanyErrors, CompanyForm, DEFAULT_COLOUR};
use crate::page::{Lang, PageResult};
use crate::panel::auth::{PanelRequest, RequireAdministrator};
use crate::panel::confirm::ConfirmPage;
use crate::panel::csrf_form::CsrfForm;
use crate::panel::file_upload::FileUpload;
use crate::panel::layout::{PanelLayout, Section};
use app::Error;
use app::panel::{BadLogo, SettingsChange, readable};
use askama::Template;
use domain::event::hex;
use domain::limits::{REMINDER_DAYS, REMINDERS};
use domain::{Colour, FolioState, Language, PicturePolicy};
use jiff::tz::TimeZone;
use store::CompanySettings;

/// How many characters of a line of the contact the previews have room for; `panel.js` has the same.
const CONTACT_FITS: usize = 30;

/// The law that sheets name where the company names none; the hint of the field has it too.
const LEGAL_BASIS: &str = "Ley 527 de 1999 y Decreto 2364 de 2012 (Colombia)";

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/company.html")]
pub(crate) struct CompanyPage {
    pub(crate) f: PanelLayout,
    pub(crate) typed: CompanyForm,
    /// Where the logo is.
    pub(crate) logo: Option<String>,
    pub(crate) zones: Vec<String>,
    /// The installation's time zone, used where the company has none.
    pub(crate) usual_zone: String,
    pub(crate) wrong: CompanyErrors,
}

/// A text of the previews.
#[derive(Debug)]
pub(crate) struct PreviewText {
    pub(crate) shown: &'static str,
    pub(crate) all: [(&'static str, &'static str); Lang::ALL.len()],
}

impl CompanyPage {
    /// What a company may choose of pictures of signatures.
    pub(crate) fn picture_policies(&self) -> [(&'static str, &'static str); 3] {
        PicturePolicy::ALL.map(|policy| {
            let words = match policy {
                PicturePolicy::Off => self.f.l.picture_off(),
                PicturePolicy::Optional => self.f.l.picture_optional(),
                PicturePolicy::Required => self.f.l.picture_required(),
            };
            (policy.code(), words)
        })
    }

    #[allow(clippy::unused_self, reason = "templates ask the page")]
    pub(crate) const fn usual_colour(&self) -> &'static str {
        DEFAULT_COLOUR
    }

    /// What the colour must be readable on.
    #[allow(clippy::unused_self, reason = "templates ask the page")]
    pub(crate) fn ground(&self) -> String {
        Colour::DARKEST_BACKGROUND.to_string()
    }

    fn chosen_colour(&self) -> Option<Colour> {
        let chosen = Some(self.typed.colour.as_str()).filter(|_| self.typed.own_colour);
        chosen.unwrap_or(DEFAULT_COLOUR).parse().ok()
    }

    /// The colour that pages and emails would have.
    pub(crate) fn shown_colour(&self) -> String {
        let shown = self.chosen_colour().map(|colour| readable(colour).to_string());
        shown.unwrap_or_else(|| DEFAULT_COLOUR.to_owned())
    }

    /// The name, as much of it as a preview has room for.
    pub(crate) fn name_shown(&self, characters: usize) -> String {
        shortened(&self.typed.name, characters)
    }

    /// The lines of the contact, the empty ones last, as pages and emails close the gaps.
    pub(crate) fn contact_shown(&self) -> [String; 3] {
        let CompanyForm {
            contact_name,
            contact_email,
            contact_phone,
            ..
        } = &self.typed;
        let mut lines =
            [contact_name, contact_email, contact_phone].map(|line| shortened(line, CONTACT_FITS));
        lines.sort_by_key(String::is_empty);
        lines
    }

    /// What the sheet names where the company names no law.
    #[allow(clippy::unused_self, reason = "templates ask the page")]
    pub(crate) const fn usual_legal_basis(&self) -> &'static str {
        LEGAL_BASIS
    }

    /// The law on the sheet, as much of it as the preview has room for.
    pub(crate) fn legal_basis_shown(&self, characters: usize) -> String {
        let law = Some(self.typed.legal_basis.as_str()).filter(|law| !law.is_empty());
        shortened(law.unwrap_or(LEGAL_BASIS), characters)
    }

    /// A text of the previews: in the language of folios, and in every language, by its code.
    pub(crate) fn in_preview(&self, text: fn(Lang) -> &'static str) -> PreviewText {
        let chosen = self.typed.language.parse::<Language>().unwrap_or_default();
        PreviewText {
            shown: text(chosen.into()),
            all: Lang::ALL.map(|lang| (lang.code(), text(lang))),
        }
    }

    /// Where the name stands on the signer's page, right of the logo, and how many characters have room there.
    pub(crate) const fn name_beside_logo(&self) -> (u16, usize) {
        if self.logo.is_some() { (72, 22) } else { (16, 28) }
    }

    /// Whether the chosen colour can be read.
    pub(crate) fn contrast(&self) -> String {
        let l = self.f.l;
        self.chosen_colour().map_or_else(String::new, |colour| {
            let text = if readable(colour) == colour {
                l.contrast_good()
            } else {
                l.contrast_low()
            };
            text.replace("{}", &l.tenths(colour.contrast(Colour::DARKEST_BACKGROUND)))
        })
    }

    /// The time of day as the signature sheet writes it, with the offset of the zone.
    pub(crate) fn time_shown(&self) -> String {
        let zone = [&self.typed.timezone, &self.usual_zone]
            .into_iter()
            .find_map(|name| TimeZone::get(name).ok());
        let at = jiff::Timestamp::from_microsecond(self.f.now.as_micros()).unwrap_or_default();
        let at = at.to_zoned(zone.unwrap_or(TimeZone::UTC));
        let minutes = at.offset().seconds() / 60;
        let sign = if minutes < 0 { '−' } else { '+' };
        let offset = match (minutes.abs() / 60, minutes.abs() % 60) {
            (0, 0) => "UTC".to_owned(),
            (hours, 0) => format!("UTC{sign}{hours}"),
            (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
        };
        format!("{} ({offset})", at.strftime("%H:%M:%S"))
    }
}

/// A text, or as much of it as has room.
fn shortened(text: &str, characters: usize) -> String {
    if text.chars().count() <= characters {
        return text.to_owned();
    }
    let begin: String = text.chars().take(characters.saturating_sub(1)).collect();
    format!("{begin}…")
}

/// `GET /panel/company`.
pub(crate) async fn page(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let l = request.l;
    let notice = match request.done().as_deref() {
        Some("saved") => Some(l.company_saved()),
        Some("darker") => Some(l.company_saved_darker()),
        Some("logo") => Some(l.logo_saved()),
        Some("no-logo") => Some(l.logo_removed()),
        _ => None,
    };
    let page = load_page(&request, None, CompanyErrors::default())
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&CompanyPage {
        f: page.f.with_notice(notice),
        ..page
    }))
}

async fn load_page(
    request: &PanelRequest,
    typed: Option<CompanyForm>,
    wrong: CompanyErrors,
) -> Result<CompanyPage, Error> {
    let settings = request.web.app.company_settings(request.user().company).await?;
    let usual = &request.web.settings.timezone;
    Ok(CompanyPage {
        f: request.frame(Section::Company),
        typed: typed.unwrap_or_else(|| CompanyForm::of(&settings)),
        logo: settings
            .logo
            .as_ref()
            .map(|digest| format!("/logos/{}", hex(digest))),
        zones: zones(),
        usual_zone: usual.iana_name().unwrap_or("UTC").to_owned(),
        wrong,
    })
}

/// Zones that have places in them.
pub(super) fn zones() -> Vec<String> {
    let places = |name: &String| name.contains('/') && !name.starts_with("Etc/");
    let all = jiff::tz::db().available().map(|name| name.to_string());
    all.filter(places).collect()
}

/// `POST /panel/company`.
pub(crate) async fn save(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let typed = CompanyForm::read(&form);
    let settings = match typed.settings(request.l) {
        Ok(settings) => settings,
        Err(wrong) => return page_with_form_errors(&request, typed, *wrong).await,
    };
    let before = request
        .web
        .app
        .company_settings(request.user().company)
        .await
        .map_err(|error| request.error_page(error))?;
    if form.get("sure").is_empty() {
        let erases = erases_more(&before, &settings);
        if erases || drops_more(&before, &settings) {
            return Ok(request.page(&keeps_less(request.frame(Section::Company), &typed, erases)));
        }
    }
    let darker = typed.own_colour && settings.colour.as_deref() != Some(&typed.colour.to_lowercase());
    match request
        .web
        .app
        .set_company_settings(request.actor(), settings)
        .await
    {
        Ok(SettingsChange::Done) if darker => Ok(request.redirect("/panel/company?done=darker")),
        Ok(SettingsChange::Done) => Ok(request.redirect("/panel/company?done=saved")),
        Ok(SettingsChange::NameTaken) => {
            let wrong = CompanyErrors {
                name: Some(request.l.company_name_taken()),
                ..CompanyErrors::default()
            };
            page_with_form_errors(&request, typed, wrong).await
        }
        Ok(SettingsChange::NoOwnSecondFactor) => {
            let wrong = CompanyErrors {
                second_factor: Some(request.l.second_factor_own_first()),
                ..CompanyErrors::default()
            };
            page_with_form_errors(&request, typed, wrong).await
        }
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// Whether folios are dropped that would be kept otherwise: after less time, or because they no longer wait to be
/// approved.
fn drops_more(before: &CompanySettings, after: &CompanySettings) -> bool {
    let sooner = |days| before.retention_days.is_none_or(|before| days < before);
    let stop_waiting = before.approval && !after.approval;
    after
        .retention_days
        .is_some_and(|days| stop_waiting || sooner(days))
}

/// Whether folios are erased that would be kept otherwise.
fn erases_more(before: &CompanySettings, after: &CompanySettings) -> bool {
    FolioState::ALL.into_iter().any(|state| {
        let (old, new) = (
            before.erasure.of(state, before.approval),
            after.erasure.of(state, after.approval),
        );
        new.is_some_and(|new| old.is_none_or(|old| new < old))
    })
}

/// The confirmation before folios are kept for less time. It carries the whole form.
pub(super) fn keeps_less(f: PanelLayout, typed: &CompanyForm, erases: bool) -> ConfirmPage {
    let l = f.l;
    let mut fields = typed.fields();
    fields.push(("sure", "yes".to_owned()));
    ConfirmPage {
        f,
        title: l.retention_title().to_owned(),
        lead: if erases {
            l.erasure_lead().to_owned()
        } else {
            l.retention_lead(&typed.retention_days)
        },
        lasting: true,
        about: Vec::new(),
        action: "/panel/company".to_owned(),
        fields,
        button: if erases {
            l.erasure_sure()
        } else {
            l.retention_sure()
        }
        .to_owned(),
        back: "/panel/company".to_owned(),
    }
}

/// `POST /panel/company/logo`.
pub(crate) async fn logo(
    RequireAdministrator(request): RequireAdministrator,
    upload: FileUpload<{ domain::limits::LOGO_BYTES }>,
) -> PageResult {
    let l = request.l;
    let wrong = match upload.file {
        None if upload.too_large => l.logo_heavy(),
        None => l.logo_missing(),
        Some(file) => {
            let set = request.web.app.set_logo(request.actor(), Some(file)).await;
            match set.map_err(|error| request.error_page(error))? {
                Ok(()) => return Ok(request.redirect("/panel/company?done=logo")),
                Err(BadLogo::Heavy) => l.logo_heavy(),
                Err(BadLogo::Large) => l.logo_large(),
                Err(BadLogo::NotAPicture) => l.logo_malformed(),
            }
        }
    };
    let logo = Some(wrong);
    let page = load_page(
        &request,
        None,
        CompanyErrors {
            logo,
            ..CompanyErrors::default()
        },
    )
    .await
    .map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}

/// `POST /panel/company/logo/remove`.
pub(crate) async fn remove_logo(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    if form.get("sure").is_empty() {
        let l = request.l;
        return Ok(request.page(&ConfirmPage {
            f: request.frame(Section::Company),
            title: l.logo_remove_title().to_owned(),
            lead: l.logo_remove_lead().to_owned(),
            lasting: false,
            about: Vec::new(),
            action: "/panel/company/logo/remove".to_owned(),
            fields: vec![("sure", "yes".to_owned())],
            button: l.logo_remove().to_owned(),
            back: "/panel/company".to_owned(),
        }));
    }
    let removed = request.web.app.set_logo(request.actor(), None).await;
    // Only a new logo can be refused.
    let _ = removed.map_err(|error| request.error_page(error))?;
    Ok(request.redirect("/panel/company?done=no-logo"))
}

async fn page_with_form_errors(
    request: &PanelRequest,
    typed: CompanyForm,
    wrong: CompanyErrors,
) -> PageResult {
    let page = load_page(request, Some(typed), wrong)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}
