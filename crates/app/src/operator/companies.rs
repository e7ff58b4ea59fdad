//! Companies, as the operator manages them.

use super::Operator;
use crate::Error;
use crate::panel::{AuditAct, record_operator_act};
use domain::CompanyId;
use store::Tx;

impl Operator {
    /// Adds a company. False when the name is taken.
    pub async fn add_company(&self, name: String) -> Result<bool, Error> {
        let now = self.clock.now();
        match self.store.write(move |tx| tx.add_company(&name, now)).await {
            Ok(_) => Ok(true),
            Err(store::Error::Duplicate(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives a company another name. False when that is taken.
    pub async fn rename_company(&self, from: String, to: String) -> Result<bool, Error> {
        let now = self.clock.now();
        let renamed = self.store.write(move |tx| {
            let Some(company) = tx.company_named(&from)? else {
                return Ok(false);
            };
            tx.rename_company(company, &to)?;
            record_operator_act(tx, company, AuditAct::CompanyChanged, "name", now)?;
            Ok(true)
        });
        match renamed.await {
            Ok(true) => Ok(true),
            Ok(false) => Err(Error::NotFound),
            Err(store::Error::Duplicate(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Says who may show a company's pages inside their own. Returns whether there is such a company.
    pub async fn set_embedding(&self, name: String, origins: Vec<String>) -> Result<bool, Error> {
        let now = self.clock.now();
        let set = self.store.write(move |tx| {
            let Some(company) = tx.company_named(&name)? else {
                return Ok(false);
            };
            tx.set_embedding(company, &origins)?;
            record_operator_act(tx, company, AuditAct::CompanyChanged, "embedding", now)?;
            Ok::<_, store::Error>(true)
        });
        Ok(set.await?)
    }

    /// Every company's name.
    pub async fn companies(&self) -> Result<Vec<String>, Error> {
        Ok(self.store.read(|tx| tx.company_names()).await?)
    }
}

/// The company with that name.
pub(crate) fn named(tx: &mut Tx<'_>, company: &str) -> Result<CompanyId, Error> {
    tx.company_named(company)?.ok_or(Error::NotFound)
}
