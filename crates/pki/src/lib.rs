//! Certificates and their uses: CMS, authorities, paths, revocation lists, RFC 3161 timestamps, keys in a token.
//! Knows no PDF.

pub mod authority;
pub mod cms;
pub mod escape;
pub mod time;
pub mod trusted_list;
