//! The identity providers by which companies' people sign in, and the sign-ins by them that were completed.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Row, sql_int};
use domain::{CompanyId, ProviderId, Role, Timestamp};

/// A company's identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredProvider {
    /// The identifier.
    pub id: ProviderId,
    /// Whose people it knows.
    pub company: CompanyId,
    /// What administrators chose.
    pub settings: ProviderSettings,
    /// What it knows us by, sealed.
    pub client_secret: Option<Vec<u8>>,
    /// When an administrator signed in by it as it is set.
    pub tried_at: Option<Timestamp>,
    /// Since when it counts for everybody.
    pub enabled_at: Option<Timestamp>,
}

/// What administrators choose of an identity provider, but for the secret.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProviderSettings {
    /// What it calls itself.
    pub issuer: String,
    /// What it calls us.
    pub client_id: String,
    /// What we ask it for, separated by spaces.
    pub scopes: String,
    /// The claim with a person's groups.
    pub groups_claim: String,
    /// The groups of each role.
    pub groups: RoleGroups,
    /// Domains of the addresses that may be linked; any when there are none.
    pub email_domains: Vec<String>,
    /// Whether an address counts as verified although it says nothing about that.
    pub trusts_email: bool,
    /// Whether people of a mapped group who were not invited get an account.
    pub creates_users: bool,
    /// Whether readers and supervisors sign in by it alone.
    pub required: bool,
}

/// The groups whose people have a role.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoleGroups {
    /// Of readers.
    pub reader: Vec<String>,
    /// Of supervisors.
    pub supervisor: Vec<String>,
    /// Of administrators.
    pub administrator: Vec<String>,
}

impl RoleGroups {
    /// Whether groups give no role at all.
    pub const fn is_empty(&self) -> bool {
        self.reader.is_empty() && self.supervisor.is_empty() && self.administrator.is_empty()
    }

    /// The groups of a role.
    pub const fn of(&self, role: Role) -> &Vec<String> {
        match role {
            Role::Reader => &self.reader,
            Role::Supervisor => &self.supervisor,
            Role::Administrator => &self.administrator,
        }
    }
}

const COLUMNS: &str = "id, company, issuer, client_id, client_secret, scopes, groups_claim, reader_groups,
    supervisor_groups, administrator_groups, email_domains, trusts_email, creates_users, required, tried_at, enabled_at";

impl Tx<'_> {
    /// The company's identity provider.
    pub fn identity_provider(&mut self, company: CompanyId) -> Result<Option<StoredProvider>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM identity_providers WHERE company = $1");
        self.query_one(&sql, &[company.0.into()], read)
    }

    /// The identity provider with that identifier, of whichever company: this is how people begin to sign in.
    pub fn identity_provider_with_id(&mut self, id: ProviderId) -> Result<Option<StoredProvider>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM identity_providers WHERE id = $1");
        self.query_one(&sql, &[(&id).into()], read)
    }

    /// The company's identity provider, which does not change before the transaction ends.
    pub fn lock_identity_provider(&mut self, company: CompanyId) -> Result<Option<StoredProvider>, Error> {
        let lock = self.dialect().for_update();
        let sql = format!("SELECT {COLUMNS} FROM identity_providers WHERE company = $1{lock}");
        self.query_one(&sql, &[company.0.into()], read)
    }

    /// Adds the company's identity provider, or changes it; the identifier of one that is there stays.
    pub fn put_identity_provider(&mut self, provider: &StoredProvider) -> Result<(), Error> {
        let sql = "INSERT INTO identity_providers (id, company, issuer, client_id, client_secret, scopes, groups_claim,
                       reader_groups, supervisor_groups, administrator_groups, email_domains, trusts_email,
                       creates_users, required, tried_at, enabled_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
                   ON CONFLICT (company) DO UPDATE SET issuer = excluded.issuer, client_id = excluded.client_id,
                       client_secret = excluded.client_secret, scopes = excluded.scopes,
                       groups_claim = excluded.groups_claim, reader_groups = excluded.reader_groups,
                       supervisor_groups = excluded.supervisor_groups,
                       administrator_groups = excluded.administrator_groups,
                       email_domains = excluded.email_domains, trusts_email = excluded.trusts_email,
                       creates_users = excluded.creates_users, required = excluded.required,
                       tried_at = excluded.tried_at, enabled_at = excluded.enabled_at";
        let settings = &provider.settings;
        let groups = |role| settings.groups.of(role).join("\n");
        let (readers, supervisors) = (groups(Role::Reader), groups(Role::Supervisor));
        let (administrators, domains) = (groups(Role::Administrator), settings.email_domains.join(" "));
        let params = [
            (&provider.id).into(),
            provider.company.0.into(),
            (&settings.issuer).into(),
            (&settings.client_id).into(),
            provider.client_secret.as_deref().into(),
            (&settings.scopes).into(),
            (&settings.groups_claim).into(),
            (&readers).into(),
            (&supervisors).into(),
            (&administrators).into(),
            (&domains).into(),
            settings.trusts_email.into(),
            settings.creates_users.into(),
            settings.required.into(),
            provider.tried_at.into(),
            provider.enabled_at.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Removes the company's identity provider, and as whom it knew the company's people. False when there is none.
    pub fn remove_identity_provider(&mut self, company: CompanyId) -> Result<bool, Error> {
        let sql = "UPDATE users SET issuer = NULL, subject = NULL WHERE company = $1";
        self.execute(sql, &[company.0.into()])?;
        let sql = "DELETE FROM identity_providers WHERE company = $1";
        Ok(self.execute(sql, &[company.0.into()])? > 0)
    }

    /// Notes that the sign-in with that hash was completed. False when it was before.
    pub fn use_sign_in(&mut self, digest: &[u8; 32], at: Timestamp) -> Result<bool, Error> {
        let sql = "INSERT INTO used_sign_ins (digest, at) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING";
        Ok(self.execute(sql, &[digest.into(), at.into()])? > 0)
    }

    /// Forgets sign-ins that were completed before that time, up to `max`. Returns how many.
    pub fn delete_used_sign_ins(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM used_sign_ins WHERE at < $1 AND digest IN (
                       SELECT digest FROM used_sign_ins WHERE at < $1 ORDER BY at LIMIT $2)";
        self.execute(sql, &[before.into(), sql_int(max)?.into()])
    }
}

fn read(row: &Row<'_>) -> Result<StoredProvider, Error> {
    let lines = |name| {
        let text: String = row.get(name)?;
        Ok::<Vec<String>, Error>(text.lines().map(str::to_owned).collect())
    };
    let domains: String = row.get("email_domains")?;
    Ok(StoredProvider {
        id: row.get("id")?,
        company: CompanyId(row.get("company")?),
        settings: ProviderSettings {
            issuer: row.get("issuer")?,
            client_id: row.get("client_id")?,
            scopes: row.get("scopes")?,
            groups_claim: row.get("groups_claim")?,
            groups: RoleGroups {
                reader: lines("reader_groups")?,
                supervisor: lines("supervisor_groups")?,
                administrator: lines("administrator_groups")?,
            },
            email_domains: domains.split_whitespace().map(str::to_owned).collect(),
            trusts_email: row.get("trusts_email")?,
            creates_users: row.get("creates_users")?,
            required: row.get("required")?,
        },
        client_secret: row.get("client_secret")?,
        tried_at: row.get("tried_at")?,
        enabled_at: row.get("enabled_at")?,
    })
}
