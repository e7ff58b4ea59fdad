//! Projections: rows that the projector derives from the change log.

pub(crate) mod change_log;
pub(crate) mod daily_stats;
pub(crate) mod search_index;
