//! The form of the company's page.

use super::reminder_form::{ReminderErrors, ReminderForm};
use crate::page::{FormFields, PanelLang};
use app::panel::readable;
use domain::embedding::origin;
use domain::limits::{DAYS, MOBILE_MIN, ORIGINS};
use domain::{Colour, Email, Language, LegalBasis, PersonName, PicturePolicy};
use jiff::tz::TimeZone;
use store::{CompanyContact, CompanySettings, ErasureDays};

/// The colour that the form offers by default.
pub(super) const DEFAULT_COLOUR: &str = "#0b5563";
const PHONE_LENGTH: usize = 40;

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
    pub(super) fn of(settings: &CompanySettings) -> Self {
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

    pub(super) fn read(form: &FormFields) -> Self {
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
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
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
    pub(super) fn settings(&self, l: PanelLang) -> Result<CompanySettings, Box<CompanyErrors>> {
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
