//! Figures of installations on `PostgreSQL` and S3.

mod backup;
mod instances;
mod page;
mod takeover;

pub(super) use backup::measure as backup;
pub(super) use instances::measure as instances;
pub(super) use page::measure as page;
pub(super) use takeover::measure as takeover;
