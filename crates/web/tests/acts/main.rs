//! Signers' acts below the pages: codes, signatures, rejections, and races between acts.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod approval;
mod backup;
mod codes;
mod corrected_number;
mod database_access;
mod documents;
mod erasure;
mod folio_bytes;
mod histories;
mod increment_move_races;
mod lost_documents;
mod moved_increments;
mod point_in_time;
mod projections;
mod races;
mod reminders;
mod repaired_documents;
mod returned_emails;
mod rotation;
mod storage_access;
mod test_folio;
