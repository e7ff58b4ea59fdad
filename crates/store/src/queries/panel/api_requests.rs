//! The log of recent API requests of a company.

use crate::error::Error;
use crate::rows::ApiRequestRow;
use crate::tx::Tx;
use crate::value::{Param, Row, only_column, sql_int};
use domain::{CompanyId, KeyId, Timestamp};
use std::time::Duration;

/// Requests that are deleted by one statement.
const MAX_DELETED: usize = 5_000;

/// A request that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedApiRequest {
    /// The key that it had.
    pub key: KeyId,
    /// When it was answered.
    pub at: Timestamp,
    /// The operation's name.
    pub operation: String,
    /// The status of the response.
    pub status: u32,
    /// What an error told the client; empty for a success.
    pub message: String,
    /// The identifier of the request.
    pub request_id: String,
    /// How long the response took to begin.
    pub took: Duration,
    /// The client's network address.
    pub address: String,
}

impl LoggedApiRequest {
    /// Whether the request failed.
    pub const fn is_failed(&self) -> bool {
        self.status >= 400
    }
}

/// Which requests are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ApiRequestFilter {
    /// Of one key.
    pub key: Option<KeyId>,
    /// Only those that failed.
    pub failed: bool,
}

/// The list of requests with that condition besides.
macro_rules! listed {
    ($condition:literal) => {
        concat!(
            "SELECT api_key, at, operation, status, message, request_id, micros, address
             FROM api_requests WHERE company = $1 AND failed >= $2",
            $condition,
            " ORDER BY seq DESC LIMIT $3"
        )
    };
}

impl Tx<'_> {
    /// Adds requests to the logs of their companies.
    pub fn log_api_requests(&mut self, requests: &[(CompanyId, LoggedApiRequest)]) -> Result<(), Error> {
        use crate::dialect::ColumnType::{Bytes, Int, Text};
        let sql = "INSERT INTO api_requests
                       (company, api_key, at, operation, status, failed, message, request_id, micros, address) VALUES";
        let mut params: Vec<Param<'_>> = Vec::with_capacity(requests.len() * 10);
        for (company, request) in requests {
            params.extend::<[Param<'_>; 10]>([
                company.0.into(),
                (&request.key).into(),
                request.at.into(),
                (&request.operation).into(),
                i64::from(request.status).into(),
                i64::from(request.is_failed()).into(),
                (&request.message).into(),
                (&request.request_id).into(),
                sql_int(request.took.as_micros())?.into(),
                (&request.address).into(),
            ]);
        }
        let kinds = [Int, Bytes, Int, Text, Int, Int, Text, Text, Int, Text];
        self.run_rows(sql, &kinds, &params)
    }

    /// The company's requests, newest first.
    pub fn api_requests(
        &mut self,
        company: CompanyId,
        filter: &ApiRequestFilter,
        limit: usize,
    ) -> Result<Vec<LoggedApiRequest>, Error> {
        let (failed, limit) = (i64::from(filter.failed), sql_int(limit)?);
        match &filter.key {
            None => self.query(
                listed!(""),
                &[company.0.into(), failed.into(), limit.into()],
                read,
            ),
            Some(key) => {
                let params = [company.0.into(), failed.into(), limit.into(), key.into()];
                self.query(listed!(" AND api_key = $4"), &params, read)
            }
        }
    }

    /// Deletes the oldest requests of these companies: so many successes of each are kept, and as many failures.
    pub fn trim_api_requests(&mut self, companies: &[CompanyId], keep: usize) -> Result<(), Error> {
        let sql = "SELECT seq FROM (
                       SELECT seq, ROW_NUMBER() OVER (PARTITION BY company, failed ORDER BY seq DESC) AS place
                       FROM api_requests WHERE company IN ({list})) AS ranked
                   WHERE place > $1 ORDER BY seq LIMIT $2";
        let fixed = [sql_int(keep)?.into(), sql_int(MAX_DELETED)?.into()];
        let companies = companies.iter().map(|company| company.0.into());
        let old = self.query_in(sql, &fixed, companies, only_column)?;
        self.delete_api_requests(&old)
    }

    /// Deletes requests that were answered before that time, up to a limit. Returns how many.
    pub fn delete_old_api_requests(&mut self, before: Timestamp) -> Result<usize, Error> {
        let sql = "SELECT seq FROM api_requests WHERE at < $1 ORDER BY at LIMIT $2";
        let old = self.query(sql, &[before.into(), sql_int(MAX_DELETED)?.into()], only_column)?;
        self.delete_api_requests(&old)?;
        Ok(old.len())
    }

    fn delete_api_requests(&mut self, requests: &[ApiRequestRow]) -> Result<(), Error> {
        // Rows that another instance is deleting are skipped: two instances never wait for each other.
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "DELETE FROM api_requests WHERE seq IN (
                 SELECT seq FROM api_requests WHERE seq IN ({{list}}){skip}) RETURNING seq"
        );
        let requests = requests.iter().map(|seq| Param::from(*seq));
        self.query_in(&sql, &[], requests, |_| Ok(())).map(drop)
    }
}

fn read(row: &Row<'_>) -> Result<LoggedApiRequest, Error> {
    Ok(LoggedApiRequest {
        key: row.get("api_key")?,
        at: row.get("at")?,
        operation: row.get("operation")?,
        status: row.get("status")?,
        message: row.get("message")?,
        request_id: row.get("request_id")?,
        took: Duration::from_micros(row.get("micros")?),
        address: row.get("address")?,
    })
}
