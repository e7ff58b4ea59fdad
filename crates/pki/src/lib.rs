//! Certificates and what is made with them: CMS, authorities, paths, revocation lists, timestamps, keys in tokens.
//! Knows no PDF.

pub mod authority;
pub mod cms;
pub mod escape;
pub mod time;
