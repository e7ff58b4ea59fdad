//! The company: what it is called, what it looks like, what it wants of folios.

use super::auth::{PanelRequest, RequireAdministrator};
use super::confirm::ConfirmPage;
use super::csrf_form::CsrfForm;
use super::file_upload::FileUpload;
use super::layout::{PanelLayout, Section};
use super::reminder_form::{ReminderErrors, ReminderForm};
use crate::page::{FormFields, PageResult, PanelLang};
use app::Error;
use app::panel::{BadLogo, SettingsChange, readable};
use askama::Template;
use domain::embedding::origin;
use domain::event::hex;
use domain::limits::{DAYS, MOBILE_MIN, ORIGINS, REMINDER_DAYS, REMINDERS};
use domain::{Colour, Email, FolioState, Language, LegalBasis, PersonName, PicturePolicy};
use jiff::tz::TimeZone;
use store::{CompanyContact, CompanySettings, ErasureDays};

/// The colour that the form offers by default.
const DEFAULT_COLOUR: &str = "#0b5563";
const PHONE_LENGTH: usize = 40;

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
        Colour::GROUND.to_string()
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
        let name = &self.typed.name;
        if name.chars().count() <= characters {
            return name.clone();
        }
        let begin: String = name.chars().take(characters.saturating_sub(1)).collect();
        format!("{begin}…")
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
            text.replace("{}", &format!("{:.1}", colour.contrast(Colour::GROUND)))
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

/// The fields of the form.
#[derive(Debug, Default, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "a form has as many boxes as it has")]
pub(crate) struct CompanyForm {
    pub(crate) name: String,
    pub(crate) own_colour: bool,
    pub(crate) colour: String,
    pub(crate) timezone: String,
    pub(crate) origins: String,
    pub(crate) approval: bool,
    pub(crate) second_factor: bool,
    pub(crate) folio_days: String,
    pub(crate) retention_days: String,
    pub(crate) erase_signed: String,
    pub(crate) erase_rejected: String,
    pub(crate) erase_cancelled: String,
    pub(crate) erase_pending: String,
    pub(crate) reminders: ReminderForm,
    pub(crate) contact_name: String,
    pub(crate) contact_email: String,
    pub(crate) contact_phone: String,
    pub(crate) auto_return: bool,
    pub(crate) read_to_end: bool,
    pub(crate) picture: String,
    pub(crate) language: String,
    pub(crate) legal_basis: String,
}

/// The errors of the form.
#[derive(Debug, Default)]
pub(crate) struct CompanyErrors {
    pub(crate) name: Option<&'static str>,
    pub(crate) colour: Option<&'static str>,
    pub(crate) timezone: Option<&'static str>,
    pub(crate) language: Option<&'static str>,
    pub(crate) legal_basis: Option<&'static str>,
    pub(crate) picture: Option<&'static str>,
    pub(crate) origins: Option<String>,
    pub(crate) folio_days: Option<&'static str>,
    pub(crate) retention_days: Option<&'static str>,
    pub(crate) erase_signed: Option<&'static str>,
    pub(crate) erase_rejected: Option<&'static str>,
    pub(crate) erase_cancelled: Option<&'static str>,
    pub(crate) erase_pending: Option<&'static str>,
    pub(crate) reminders: ReminderErrors,
    pub(crate) second_factor: Option<&'static str>,
    pub(crate) contact_name: Option<&'static str>,
    pub(crate) contact_email: Option<&'static str>,
    pub(crate) contact_phone: Option<&'static str>,
    pub(crate) logo: Option<&'static str>,
}

impl CompanyErrors {
    fn is_any(&self) -> bool {
        self.name
            .or(self.colour)
            .or(self.timezone)
            .or(self.language)
            .or(self.legal_basis)
            .is_some()
            || self.folio_days.or(self.retention_days).or(self.logo).is_some()
            || self
                .contact_name
                .or(self.contact_email)
                .or(self.contact_phone)
                .is_some()
            || self.erase_signed.or(self.erase_rejected).is_some()
            || self.erase_cancelled.or(self.erase_pending).is_some()
            || self.reminders.is_any()
            || self.picture.is_some()
            || self.origins.is_some()
    }
}

impl CompanyForm {
    fn of(settings: &CompanySettings) -> Self {
        let days = |days: Option<i64>| days.map_or_else(String::new, |days| days.to_string());
        Self {
            name: settings.name.clone(),
            own_colour: settings.colour.is_some(),
            colour: settings
                .colour
                .clone()
                .unwrap_or_else(|| DEFAULT_COLOUR.to_owned()),
            timezone: settings.timezone.clone().unwrap_or_default(),
            origins: settings.embedding_origins.join("\n"),
            approval: settings.approval,
            second_factor: settings.second_factor_required,
            folio_days: days(settings.folio_days),
            retention_days: days(settings.retention_days),
            erase_signed: days(settings.erasure.signed),
            erase_rejected: days(settings.erasure.rejected),
            erase_cancelled: days(settings.erasure.cancelled),
            erase_pending: days(settings.erasure.pending),
            reminders: ReminderForm::of(settings.reminders),
            contact_name: settings.contact.name.clone(),
            contact_email: settings.contact.email.clone(),
            contact_phone: settings.contact.phone.clone(),
            auto_return: settings.auto_return,
            read_to_end: settings.read_to_end,
            picture: settings.picture.code().to_owned(),
            language: settings.language.code().to_owned(),
            legal_basis: settings
                .legal_basis
                .as_ref()
                .map_or_else(String::new, ToString::to_string),
        }
    }

    fn read(form: &FormFields) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            name: text("name"),
            own_colour: form.has("own_colour"),
            colour: text("colour"),
            timezone: text("timezone"),
            origins: text("origins"),
            approval: form.has("approval"),
            second_factor: form.has("second_factor"),
            folio_days: text("folio_days"),
            retention_days: text("retention_days"),
            erase_signed: text("erase_signed"),
            erase_rejected: text("erase_rejected"),
            erase_cancelled: text("erase_cancelled"),
            erase_pending: text("erase_pending"),
            reminders: ReminderForm::read(form),
            contact_name: text("contact_name"),
            contact_email: text("contact_email"),
            contact_phone: text("contact_phone"),
            auto_return: form.has("auto_return"),
            read_to_end: form.has("read_to_end"),
            picture: text("picture"),
            language: text("language"),
            legal_basis: text("legal_basis"),
        }
    }

    /// The fields as a browser sends them. A field that is added to the form and not here does not compile: a confirmation
    /// that lost one would take the setting away.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let Self {
            name,
            own_colour,
            colour,
            timezone,
            origins,
            approval,
            second_factor,
            folio_days,
            retention_days,
            erase_signed,
            erase_rejected,
            erase_cancelled,
            erase_pending,
            reminders,
            contact_name,
            contact_email,
            contact_phone,
            auto_return,
            read_to_end,
            picture,
            language,
            legal_basis,
        } = self;
        let texts = [
            ("name", name),
            ("colour", colour),
            ("timezone", timezone),
            ("origins", origins),
            ("folio_days", folio_days),
            ("retention_days", retention_days),
            ("erase_signed", erase_signed),
            ("erase_rejected", erase_rejected),
            ("erase_cancelled", erase_cancelled),
            ("erase_pending", erase_pending),
            ("contact_name", contact_name),
            ("contact_email", contact_email),
            ("contact_phone", contact_phone),
            ("picture", picture),
            ("language", language),
            ("legal_basis", legal_basis),
        ];
        let boxes = [
            ("own_colour", own_colour),
            ("approval", approval),
            ("second_factor", second_factor),
            ("auto_return", auto_return),
            ("read_to_end", read_to_end),
        ];
        // A box that is not ticked is not in a form.
        let ticked = boxes.into_iter().filter(|(_, ticked)| **ticked);
        texts
            .into_iter()
            .chain(reminders.fields())
            .map(|(field, text)| (field, text.clone()))
            .chain(ticked.map(|(field, _)| (field, "yes".to_owned())))
            .collect()
    }

    fn embedding_origins(&self, l: PanelLang, wrong: &mut CompanyErrors) -> Vec<String> {
        let mut origins = Vec::new();
        for text in self.origins.split_whitespace() {
            match origin(text) {
                Ok(origin) if !origins.contains(&origin) => origins.push(origin),
                Ok(_) => {}
                Err(_) => wrong.origins = Some(l.origin_malformed(text)),
            }
        }
        if origins.len() > ORIGINS {
            wrong.origins = Some(l.origins_many().to_owned());
        }
        origins
    }

    /// The settings of the form, or its errors.
    fn settings(&self, l: PanelLang) -> Result<CompanySettings, Box<CompanyErrors>> {
        let mut wrong = CompanyErrors::default();
        if PersonName::new(self.name.clone()).is_err() {
            wrong.name = Some(l.company_name_malformed());
        }
        let colour = self.own_colour.then(|| self.colour.parse::<Colour>());
        if matches!(colour, Some(Err(_))) {
            wrong.colour = Some(l.colour_malformed());
        }
        let zone = Some(self.timezone.clone()).filter(|zone| !zone.is_empty());
        if zone.as_ref().is_some_and(|zone| TimeZone::get(zone).is_err()) {
            wrong.timezone = Some(l.timezone_malformed());
        }
        let language = match self.language.as_str() {
            "" => Ok(Language::default()),
            code => code.parse(),
        };
        if language.is_err() {
            wrong.language = Some(l.company_language_malformed());
        }
        let legal_basis = Some(self.legal_basis.clone()).filter(|law| !law.is_empty());
        let legal_basis = legal_basis.map(LegalBasis::new).transpose();
        if legal_basis.is_err() {
            wrong.legal_basis = Some(l.legal_basis_malformed());
        }
        let picture = match self.picture.as_str() {
            "" => Some(PicturePolicy::Off),
            code => PicturePolicy::ALL
                .into_iter()
                .find(|policy| policy.code() == code),
        };
        wrong.picture = picture.is_none().then(|| l.picture_malformed());
        let origins = self.embedding_origins(l, &mut wrong);
        let days = |text: &str| match text {
            "" => Ok(None),
            text => text
                .parse()
                .ok()
                .filter(|days| (1..=DAYS).contains(days))
                .map(Some)
                .ok_or(()),
        };
        let (folio_days, retention_days) = (days(&self.folio_days), days(&self.retention_days));
        wrong.folio_days = folio_days.is_err().then(|| l.days_malformed());
        wrong.retention_days = retention_days.is_err().then(|| l.days_malformed());
        let (signed, rejected) = (days(&self.erase_signed), days(&self.erase_rejected));
        let (cancelled, pending) = (days(&self.erase_cancelled), days(&self.erase_pending));
        wrong.erase_signed = signed.is_err().then(|| l.days_malformed());
        wrong.erase_rejected = rejected.is_err().then(|| l.days_malformed());
        wrong.erase_cancelled = cancelled.is_err().then(|| l.days_malformed());
        wrong.erase_pending = pending.is_err().then(|| l.days_malformed());
        let reminders = self.reminders.days(l, &mut wrong.reminders);
        let is_given = |text: &str| !text.is_empty();
        if is_given(&self.contact_name) && PersonName::new(self.contact_name.clone()).is_err() {
            wrong.contact_name = Some(l.contact_name_malformed());
        }
        if is_given(&self.contact_email) && Email::new(self.contact_email.clone()).is_err() {
            wrong.contact_email = Some(l.email_malformed());
        }
        if is_given(&self.contact_phone) && !is_phone(&self.contact_phone) {
            wrong.contact_phone = Some(l.contact_phone_malformed());
        }
        if wrong.is_any() {
            return Err(Box::new(wrong));
        }
        Ok(CompanySettings {
            name: self.name.clone(),
            colour: colour
                .and_then(Result::ok)
                .map(|colour| readable(colour).to_string()),
            timezone: zone,
            embedding_origins: origins,
            approval: self.approval,
            second_factor_required: self.second_factor,
            folio_days: folio_days.unwrap_or_default(),
            retention_days: retention_days.unwrap_or_default(),
            erasure: ErasureDays {
                signed: signed.unwrap_or_default(),
                rejected: rejected.unwrap_or_default(),
                cancelled: cancelled.unwrap_or_default(),
                pending: pending.unwrap_or_default(),
            },
            reminders,
            contact: CompanyContact {
                name: self.contact_name.clone(),
                email: self.contact_email.clone(),
                phone: self.contact_phone.clone(),
            },
            auto_return: self.auto_return,
            read_to_end: self.read_to_end,
            picture: picture.unwrap_or_default(),
            language: language.unwrap_or_default(),
            legal_basis: legal_basis.unwrap_or_default(),
            logo: None,
        })
    }
}

/// Whether people would call that: a number as they write it, also of a landline.
fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= MOBILE_MIN
        && text.len() <= PHONE_LENGTH
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b" +-().".contains(&byte))
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
    let page = made(&request, None, CompanyErrors::default())
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&CompanyPage {
        f: page.f.with_notice(notice),
        ..page
    }))
}

async fn made(
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
fn zones() -> Vec<String> {
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
fn keeps_less(f: PanelLayout, typed: &CompanyForm, erases: bool) -> ConfirmPage {
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
    let page = made(
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
    let page = made(request, Some(typed), wrong)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}

/// The page with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{frame, sample};
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
