//! Companies.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::only_column;
use domain::{CompanyId, Timestamp};
use std::collections::HashMap;

impl Tx<'_> {
    /// Adds a company. [`Error::Duplicate`] when the name is taken.
    pub fn add_company(&mut self, name: &str, at: Timestamp) -> Result<CompanyId, Error> {
        let sql = "INSERT INTO companies (name, created_at) VALUES ($1, $2)";
        self.insert(sql, &[name.into(), at.into()]).map(CompanyId)
    }

    /// Gives a company another name. Returns whether there is such a company. [`Error::Duplicate`] when the name is taken.
    pub fn rename_company(&mut self, company: CompanyId, name: &str) -> Result<bool, Error> {
        let sql = "UPDATE companies SET name = $2 WHERE seq = $1";
        let renamed = self.execute(sql, &[company.0.into(), name.into()])?;
        Ok(renamed == 1)
    }

    /// The company with that name.
    pub fn company_named(&mut self, name: &str) -> Result<Option<CompanyId>, Error> {
        let sql = "SELECT seq FROM companies WHERE name = $1";
        Ok(self.query_one(sql, &[name.into()], only_column)?.map(CompanyId))
    }

    /// Whether signed folios of the company await a supervisor's approval.
    pub fn uses_approval(&mut self, company: CompanyId) -> Result<bool, Error> {
        let sql = "SELECT approval FROM companies WHERE seq = $1";
        let uses = self.query_one(sql, &[company.0.into()], only_column)?;
        Ok(uses.unwrap_or(false))
    }

    /// Says whether they do.
    pub fn set_approval(&mut self, company: CompanyId, approval: bool) -> Result<(), Error> {
        let sql = "UPDATE companies SET approval = $1 WHERE seq = $2";
        self.execute(sql, &[approval.into(), company.0.into()]).map(drop)
    }

    /// Says who may show the company's pages inside their own.
    pub fn set_embedding(&mut self, company: CompanyId, origins: &[String]) -> Result<(), Error> {
        let sql = "UPDATE companies SET embedding_origins = $1 WHERE seq = $2";
        self.execute(sql, &[(&origins.join(" ")).into(), company.0.into()])
            .map(drop)
    }

    /// The zones of these companies, where they have one of their own.
    pub fn company_zones(&mut self, companies: &[CompanyId]) -> Result<HashMap<CompanyId, String>, Error> {
        let sql = "SELECT seq, timezone FROM companies WHERE seq IN ({list}) AND timezone IS NOT NULL";
        let companies = companies.iter().map(|company| company.0.into());
        let zones = self.query_in(sql, &[], companies, |row| {
            Ok((CompanyId(row.get("seq")?), row.get("timezone")?))
        })?;
        Ok(zones.into_iter().collect())
    }

    /// Every company's name, in the order in which they were added.
    pub fn company_names(&mut self) -> Result<Vec<String>, Error> {
        self.query("SELECT name FROM companies ORDER BY seq", &[], only_column)
    }
}
