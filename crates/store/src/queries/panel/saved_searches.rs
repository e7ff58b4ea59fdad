//! Searches of folios that users keep under a name. Each belongs to one user of one company.

use crate::error::Error;
use crate::rows::{SavedSearchRow, UserRow};
use crate::tx::Tx;
use crate::value::{Param, Row, only_column, sql_int};
use domain::CompanyId;

/// A search under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSearch {
    /// Its number in the database.
    pub row: SavedSearchRow,
    /// What it is called.
    pub name: String,
    /// The query of its address.
    pub query: String,
}

/// A search, and the email address of its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PanelSearch {
    /// The search.
    pub search: SavedSearch,
    /// Whose it is.
    pub user: String,
}

impl Tx<'_> {
    /// The searches of all of the company's users.
    pub fn searches_of_company(&mut self, company: CompanyId) -> Result<Vec<PanelSearch>, Error> {
        let sql =
            "SELECT s.seq, s.name, s.query, u.email FROM saved_searches s JOIN users u ON u.seq = s.person
                   WHERE s.company = $1 ORDER BY s.seq";
        self.query(sql, &[company.0.into()], |row| {
            Ok(PanelSearch {
                search: saved_search(row)?,
                user: row.get("email")?,
            })
        })
    }

    /// Deletes these searches of the company.
    pub fn delete_searches_of_company(
        &mut self,
        company: CompanyId,
        rows: &[SavedSearchRow],
    ) -> Result<(), Error> {
        let sql = "DELETE FROM saved_searches WHERE company = $1 AND seq IN ({list}) RETURNING seq";
        let rows = rows.iter().map(|row| Param::from(*row));
        self.query_in(sql, &[company.0.into()], rows, |_| Ok(()))
            .map(drop)
    }

    /// The searches of a user, by name.
    pub fn saved_searches(&mut self, company: CompanyId, user: UserRow) -> Result<Vec<SavedSearch>, Error> {
        let sql =
            "SELECT seq, name, query FROM saved_searches WHERE person = $1 AND company = $2 ORDER BY name";
        self.query(sql, &[user.into(), company.0.into()], saved_search)
    }

    /// Keeps a search, in place of one of that name. False where the user has so many already.
    pub fn save_search(
        &mut self,
        company: CompanyId,
        user: UserRow,
        name: &str,
        query: &str,
        max: usize,
    ) -> Result<bool, Error> {
        let sql = "SELECT COUNT(*) FROM saved_searches WHERE person = $1 AND company = $2 AND name <> $3";
        let params = [user.into(), company.0.into(), name.into()];
        let others = self.query_one(sql, &params, only_column::<i64>)?;
        if others.is_none_or(|others| others >= sql_int(max).unwrap_or(0)) {
            return Ok(false);
        }
        let sql = "INSERT INTO saved_searches (company, person, name, query) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (person, name) DO UPDATE SET query = excluded.query";
        let params = [company.0.into(), user.into(), name.into(), query.into()];
        self.execute(sql, &params)?;
        Ok(true)
    }

    /// Deletes a search of the user, if there is one of that number.
    pub fn delete_saved_search(
        &mut self,
        company: CompanyId,
        user: UserRow,
        row: SavedSearchRow,
    ) -> Result<(), Error> {
        let sql = "DELETE FROM saved_searches WHERE seq = $1 AND person = $2 AND company = $3";
        self.execute(sql, &[row.into(), user.into(), company.0.into()])
            .map(drop)
    }
}

fn saved_search(row: &Row<'_>) -> Result<SavedSearch, Error> {
    Ok(SavedSearch {
        row: row.get("seq")?,
        name: row.get("name")?,
        query: row.get("query")?,
    })
}
