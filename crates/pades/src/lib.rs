//! PDF in, signatures out. Knows no folio.

pub mod cms;
