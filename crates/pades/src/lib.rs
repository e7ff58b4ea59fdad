//! PDF in, signatures out. Knows no folio.
