//! Users of companies who sign in to the panel. An address belongs to one of them in the whole installation.

use crate::error::Error;
use crate::queries::enum_columns;
use crate::rows::UserRow;
use crate::tx::Tx;
use crate::value::Row;
use crate::value::sql_int;
use domain::{CompanyId, Language, Role, Timestamp, UserId};

/// A user.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredUser {
    /// The number in the database.
    pub seq: UserRow,
    /// The identifier.
    pub id: UserId,
    /// Whose user it is.
    pub company: CompanyId,
    /// The address to sign in with, in lower case.
    pub email: String,
    /// The full name.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The password's hash; absent until one is chosen.
    pub password: Option<String>,
    /// The second factor's secret, sealed.
    pub totp_secret: Option<Vec<u8>>,
    /// The last time step that was used up.
    pub totp_step: i64,
    /// When the user was added.
    pub created_at: Timestamp,
    /// Since when the user may not sign in.
    pub disabled_at: Option<Timestamp>,
    /// When the user last signed in.
    pub last_sign_in_at: Option<Timestamp>,
    /// As whom the company's identity provider knows the user.
    pub identity: Option<Identity>,
    /// The language that the user chose.
    pub language: Option<Language>,
}

/// A person as an identity provider knows them.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// The person, among those that the provider knows.
    pub subject: String,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for StoredUser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data, no secrets: this may be logged.
        f.debug_struct("StoredUser")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// A user to be added.
#[derive(Debug)]
pub struct NewUser<'u> {
    /// The identifier.
    pub id: UserId,
    /// Whose user it is.
    pub company: CompanyId,
    /// The address to sign in with, in lower case.
    pub email: &'u str,
    /// The full name.
    pub name: &'u str,
    /// The role.
    pub role: Role,
    /// The password's hash, if it is known already.
    pub password: Option<&'u str>,
    /// When.
    pub at: Timestamp,
}

macro_rules! columns {
    () => {
        "u.seq, u.id, u.company, u.email, u.name, u.role, u.password, u.totp_secret,
         u.totp_step, u.created_at, u.disabled_at, u.last_sign_in_at, u.issuer, u.subject, u.language"
    };
}
pub(crate) use columns;

pub(crate) const COLUMNS: &str = columns!();

impl Tx<'_> {
    /// Adds a user. [`Error::Duplicate`] when the address is taken.
    pub fn add_user(&mut self, user: &NewUser<'_>) -> Result<UserRow, Error> {
        let sql = "INSERT INTO users (id, company, email, name, role, password, created_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let params = [
            (&user.id).into(),
            user.company.0.into(),
            user.email.into(),
            user.name.into(),
            user.role.word().into(),
            user.password.into(),
            user.at.into(),
        ];
        self.insert(sql, &params)
    }

    /// The user with that address, of whichever company: this is how users sign in.
    pub fn user_with_email(&mut self, email: &str) -> Result<Option<StoredUser>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM users u WHERE u.email = $1");
        self.query_one(&sql, &[email.into()], read)
    }

    /// The same, locked: the password, the second factor and the sessions do not change before the transaction ends.
    pub fn lock_user_with_email(&mut self, email: &str) -> Result<Option<StoredUser>, Error> {
        let lock = self.dialect().for_update();
        let sql = format!("SELECT {COLUMNS} FROM users u WHERE u.email = $1{lock}");
        self.query_one(&sql, &[email.into()], read)
    }

    /// The user of the company whom its identity provider knows as that, locked.
    pub fn lock_user_with_identity(
        &mut self,
        company: CompanyId,
        identity: &Identity,
    ) -> Result<Option<StoredUser>, Error> {
        let lock = self.dialect().for_update();
        let sql = format!(
            "SELECT {COLUMNS} FROM users u WHERE u.company = $1 AND u.issuer = $2 AND u.subject = $3{lock}"
        );
        let params = [
            company.0.into(),
            (&identity.issuer).into(),
            (&identity.subject).into(),
        ];
        self.query_one(&sql, &params, read)
    }

    /// Links a user to a person of the company's identity provider, or unlinks them.
    pub fn set_identity(&mut self, user: UserRow, identity: Option<&Identity>) -> Result<(), Error> {
        let sql = "UPDATE users SET issuer = $1, subject = $2 WHERE seq = $3";
        let params = [
            identity.map(|identity| &identity.issuer).into(),
            identity.map(|identity| &identity.subject).into(),
            user.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Sets the language of a user.
    pub fn set_user_language(&mut self, user: UserRow, language: Language) -> Result<(), Error> {
        let sql = "UPDATE users SET language = $1 WHERE seq = $2";
        self.execute(sql, &[enum_columns::language(language).into(), user.into()])
            .map(drop)
    }

    /// A user of the company.
    pub fn user(&mut self, company: CompanyId, id: UserId) -> Result<Option<StoredUser>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM users u WHERE u.company = $1 AND u.id = $2");
        self.query_one(&sql, &[company.0.into(), (&id).into()], read)
    }

    /// The users of a company, by address.
    pub fn users_of(&mut self, company: CompanyId, limit: usize) -> Result<Vec<StoredUser>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM users u WHERE u.company = $1 ORDER BY u.email LIMIT $2");
        self.query(&sql, &[company.0.into(), sql_int(limit)?.into()], read)
    }

    /// The company's administrators who can sign in: none who was invited and has no password yet. No administrator
    /// changes before the transaction ends, of either kind.
    pub fn lock_administrators(&mut self, company: CompanyId) -> Result<Vec<UserId>, Error> {
        let lock = self.dialect().for_update();
        let sql = format!(
            "SELECT id, password FROM users WHERE company = $1 AND role = 'administrator' AND disabled_at IS NULL
             ORDER BY seq{lock}"
        );
        let locked = self.query(&sql, &[company.0.into()], |row| {
            let (id, password): (UserId, Option<String>) = (row.get("id")?, row.get("password")?);
            Ok(password.is_some().then_some(id))
        })?;
        Ok(locked.into_iter().flatten().collect())
    }

    /// Gives a user another password.
    pub fn set_password(&mut self, user: UserRow, hash: &str) -> Result<(), Error> {
        let sql = "UPDATE users SET password = $1 WHERE seq = $2";
        self.execute(sql, &[hash.into(), user.into()]).map(drop)
    }

    /// Sets the role of a user.
    pub fn set_role(&mut self, user: UserRow, role: Role) -> Result<(), Error> {
        let sql = "UPDATE users SET role = $1 WHERE seq = $2";
        self.execute(sql, &[role.word().into(), user.into()]).map(drop)
    }

    /// Sets since when a user may not sign in, or clears it.
    pub fn set_disabled(&mut self, user: UserRow, at: Option<Timestamp>) -> Result<(), Error> {
        let sql = "UPDATE users SET disabled_at = $1 WHERE seq = $2";
        self.execute(sql, &[at.into(), user.into()]).map(drop)
    }

    /// Notes that a user signed in.
    pub fn record_sign_in(&mut self, user: UserRow, at: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE users SET last_sign_in_at = $1 WHERE seq = $2";
        self.execute(sql, &[at.into(), user.into()]).map(drop)
    }
}

/// Reads a user from the columns of `columns!`.
pub(crate) fn read(row: &Row<'_>) -> Result<StoredUser, Error> {
    let role: String = row.get("role")?;
    let (issuer, subject): (Option<String>, Option<String>) = (row.get("issuer")?, row.get("subject")?);
    Ok(StoredUser {
        seq: row.get("seq")?,
        id: row.get("id")?,
        company: CompanyId(row.get("company")?),
        email: row.get("email")?,
        name: row.get("name")?,
        role: role.parse().map_err(|_| Error::Corrupt("role"))?,
        password: row.get("password")?,
        totp_secret: row.get("totp_secret")?,
        totp_step: row.get("totp_step")?,
        created_at: row.get("created_at")?,
        disabled_at: row.get("disabled_at")?,
        last_sign_in_at: row.get("last_sign_in_at")?,
        identity: issuer
            .zip(subject)
            .map(|(issuer, subject)| Identity { issuer, subject }),
        language: row.get("language")?,
    })
}
