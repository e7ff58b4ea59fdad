//! PDF in, signatures out. Knows no folio.

pub mod authority;
pub mod cms;
pub mod time;
