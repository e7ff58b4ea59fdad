//! Signatures in PDFs: makes them, draws the sheet they are shown on, and verifies them. Knows no folio.

mod appearance;
mod form;
pub mod rehearse;
pub mod sheet;
pub mod sign;
pub mod verify;
