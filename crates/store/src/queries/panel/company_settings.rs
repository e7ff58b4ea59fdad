//! A company's appearance, and its rules for folios.

use crate::error::Error;
use crate::queries::enum_columns;
use crate::tx::Tx;
use crate::value::{Row, only_column, sql_int};
use domain::{CompanyId, FolioId, FolioState, Language, LegalBasis, PicturePolicy, Timestamp};

/// Whom a company's signers may ask. What is empty is not shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompanyContact {
    /// A person, or a part of the company.
    pub name: String,
    /// An email address.
    pub email: String,
    /// A phone number, as people write it.
    pub phone: String,
}

impl CompanyContact {
    /// Whether there is nothing to show.
    pub const fn is_empty(&self) -> bool {
        self.name.is_empty() && self.email.is_empty() && self.phone.is_empty()
    }

    /// From the columns `contact_name`, `contact_email` and `contact_phone`.
    pub(crate) fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            name: row.get("contact_name")?,
            email: row.get("contact_email")?,
            phone: row.get("contact_phone")?,
        })
    }
}

/// The settings that administrators choose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct CompanySettings {
    /// Its name.
    pub name: String,
    /// Its colour, as `#rrggbb`.
    pub colour: Option<String>,
    /// Its own zone.
    pub timezone: Option<String>,
    /// Origins that may show its pages inside their own.
    pub embedding_origins: Vec<String>,
    /// Whether signed folios are approved.
    pub approval: bool,
    /// Whether all users need a second factor.
    pub second_factor_required: bool,
    /// Days in which a new folio can be signed.
    pub folio_days: Option<i64>,
    /// Days after which a finished folio is dropped.
    pub retention_days: Option<i64>,
    /// Days after which folios are erased.
    pub erasure: ErasureDays,
    /// When signers of pending folios are reminded.
    pub reminders: ReminderDays,
    /// Whom its signers may ask.
    pub contact: CompanyContact,
    /// Whether signers return to the return address by themselves.
    pub auto_return: bool,
    /// Whether signers must have each document shown to its end before they get a code.
    pub read_to_end: bool,
    /// Whether signers add a picture of their signature.
    pub picture: PicturePolicy,
    /// The language of its folios where their creators choose none.
    pub language: Language,
    /// The law that the sheets of its new folios name, where it is not the usual one.
    pub legal_basis: Option<LegalBasis>,
    /// SHA-256 of its logo; set by itself.
    pub logo: Option<[u8; 32]>,
}

/// When a company reminds the signers of pending folios; never by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReminderDays {
    /// For the first time so many days after the folio's creation.
    pub first: Option<i64>,
    /// Then again after each so many days.
    pub every: Option<i64>,
    /// So often, at the most.
    pub max: i64,
    /// Once more so many days before the folio expires.
    pub before_expiry: Option<i64>,
}

impl Default for ReminderDays {
    fn default() -> Self {
        Self {
            first: None,
            every: None,
            max: 3,
            before_expiry: None,
        }
    }
}

impl ReminderDays {
    pub(crate) fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            first: row.get("reminder_first_days")?,
            every: row.get("reminder_every_days")?,
            max: row.get("reminder_max")?,
            before_expiry: row.get("reminder_before_days")?,
        })
    }
}

/// How long a company keeps finished folios.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Which.
    pub company: CompanyId,
    /// For so many days.
    pub days: i64,
    /// Whether signed folios are approved.
    pub approval: bool,
}

/// Days after which folios are erased, by how they ended; never where there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ErasureDays {
    /// Signed, or approved; not those that wait to be approved.
    pub signed: Option<i64>,
    /// Rejected by a signer or a supervisor.
    pub rejected: Option<i64>,
    /// Cancelled.
    pub cancelled: Option<i64>,
    /// Never ended: these count from their creation.
    pub pending: Option<i64>,
}

impl ErasureDays {
    /// The days for folios in that state, in a company that has signed folios approved or not.
    pub const fn of(&self, state: FolioState, approval: bool) -> Option<i64> {
        match state {
            FolioState::Signed if approval => None,
            FolioState::Signed | FolioState::Approved => self.signed,
            FolioState::RejectedBySigner | FolioState::Disapproved => self.rejected,
            FolioState::Cancelled => self.cancelled,
            FolioState::Pending => self.pending,
        }
    }

    pub(crate) fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            signed: row.get("erase_signed_days")?,
            rejected: row.get("erase_rejected_days")?,
            cancelled: row.get("erase_cancelled_days")?,
            pending: row.get("erase_pending_days")?,
        })
    }
}

/// A company that has old folios erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErasurePolicy {
    /// Which.
    pub company: CompanyId,
    /// After how many days.
    pub days: ErasureDays,
    /// Whether signed folios are approved.
    pub approval: bool,
}

/// A company's logo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// Its media type.
    pub kind: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Tx<'_> {
    /// The settings of the company.
    pub fn company_settings(&mut self, company: CompanyId) -> Result<Option<CompanySettings>, Error> {
        let sql = "SELECT name, colour, timezone, embedding_origins, approval, folio_days, retention_days, logo_digest,
                       second_factor_required, contact_name, contact_email, contact_phone, auto_return, read_to_end,
                       language, erase_signed_days, erase_rejected_days, erase_cancelled_days, erase_pending_days,
                       reminder_first_days, reminder_every_days, reminder_max, reminder_before_days, legal_basis,
                       signature_picture
                   FROM companies WHERE seq = $1";
        self.query_one(sql, &[company.0.into()], |row| {
            let origins: String = row.get("embedding_origins")?;
            Ok(CompanySettings {
                name: row.get("name")?,
                colour: row.get("colour")?,
                timezone: row.get("timezone")?,
                embedding_origins: origins.split_whitespace().map(str::to_owned).collect(),
                approval: row.get("approval")?,
                folio_days: row.get("folio_days")?,
                retention_days: row.get("retention_days")?,
                logo: row.get("logo_digest")?,
                second_factor_required: row.get("second_factor_required")?,
                erasure: ErasureDays::from_row(row)?,
                reminders: ReminderDays::from_row(row)?,
                contact: CompanyContact::from_row(row)?,
                auto_return: row.get("auto_return")?,
                read_to_end: row.get("read_to_end")?,
                picture: row.get("signature_picture")?,
                language: row.get("language")?,
                legal_basis: row.get::<Option<String>>("legal_basis")?.map(LegalBasis::stored),
            })
        })
    }

    /// Stores the settings, except the logo. [`Error::Duplicate`] when the name is taken.
    pub fn set_company_settings(
        &mut self,
        company: CompanyId,
        settings: &CompanySettings,
    ) -> Result<(), Error> {
        let sql = "UPDATE companies SET name = $1, colour = $2, timezone = $3, embedding_origins = $4, approval = $5,
                       folio_days = $6, retention_days = $7, second_factor_required = $8, contact_name = $9,
                       contact_email = $10, contact_phone = $11, auto_return = $12, erase_signed_days = $13,
                       erase_rejected_days = $14, erase_cancelled_days = $15, erase_pending_days = $16,
                       read_to_end = $17, language = $18, reminder_first_days = $19, reminder_every_days = $20,
                       reminder_max = $21, reminder_before_days = $22, legal_basis = $23, signature_picture = $24
                   WHERE seq = $25";
        let origins = settings.embedding_origins.join(" ");
        let params = [
            (&settings.name).into(),
            settings.colour.as_deref().into(),
            settings.timezone.as_deref().into(),
            (&origins).into(),
            settings.approval.into(),
            settings.folio_days.into(),
            settings.retention_days.into(),
            settings.second_factor_required.into(),
            (&settings.contact.name).into(),
            (&settings.contact.email).into(),
            (&settings.contact.phone).into(),
            settings.auto_return.into(),
            settings.erasure.signed.into(),
            settings.erasure.rejected.into(),
            settings.erasure.cancelled.into(),
            settings.erasure.pending.into(),
            settings.read_to_end.into(),
            enum_columns::language(settings.language).into(),
            settings.reminders.first.into(),
            settings.reminders.every.into(),
            settings.reminders.max.into(),
            settings.reminders.before_expiry.into(),
            settings.legal_basis.as_ref().map(LegalBasis::as_str).into(),
            enum_columns::picture_policy(settings.picture).into(),
            company.0.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Gives the company a logo, or none.
    pub fn set_logo(&mut self, company: CompanyId, logo: Option<(&Logo, [u8; 32])>) -> Result<(), Error> {
        let sql = "UPDATE companies SET logo = $1, logo_kind = $2, logo_digest = $3 WHERE seq = $4";
        let params = [
            logo.as_ref().map(|(logo, _)| logo.bytes.as_slice()).into(),
            logo.as_ref().map(|(logo, _)| logo.kind.as_str()).into(),
            logo.as_ref().map(|(_, digest)| digest).into(),
            company.0.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// The logo with that hash. The hash is on every page that shows the logo: it needs no permission.
    pub fn logo(&mut self, digest: &[u8; 32]) -> Result<Option<Logo>, Error> {
        let sql = "SELECT logo_kind, logo FROM companies WHERE logo_digest = $1";
        self.query_one(sql, &[digest.into()], |row| {
            Ok(Logo {
                kind: row.get("logo_kind")?,
                bytes: row.get("logo")?,
            })
        })
    }

    /// Companies that keep finished folios for a limited time.
    pub fn retentions(&mut self) -> Result<Vec<Retention>, Error> {
        let sql = "SELECT seq, retention_days, approval FROM companies WHERE retention_days IS NOT NULL ORDER BY seq";
        self.query(sql, &[], |row| {
            Ok(Retention {
                company: CompanyId(row.get("seq")?),
                days: row.get("retention_days")?,
                approval: row.get("approval")?,
            })
        })
    }

    /// The folios that were finished before that time and are still there, the oldest first. What waits to be approved
    /// is not finished.
    pub fn finished_before(
        &mut self,
        retention: Retention,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<FolioId>, Error> {
        let waiting = if retention.approval {
            "AND state <> 'signed'"
        } else {
            ""
        };
        let sql = format!(
            "SELECT id FROM folios
             WHERE company = $1 AND updated_at < $2 AND dropped = 0 AND state <> 'pending' {waiting}
             ORDER BY updated_at, seq LIMIT $3"
        );
        let params = [retention.company.0.into(), before.into(), sql_int(limit)?.into()];
        self.query(&sql, &params, only_column)
    }
}
