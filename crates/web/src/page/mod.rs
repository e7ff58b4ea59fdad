//! What pages of every kind share: the language, headers, forms, dates.

pub(crate) mod branding;
mod cookies;
mod dates;
pub(crate) mod document_view;
mod form;
mod headers;
mod lang;
pub(crate) mod language_switch;
pub(crate) mod layout;
pub(crate) mod logos;
pub(crate) mod message_page;
mod page_error;
pub(crate) mod page_image;
pub(crate) mod request;
pub(crate) mod texts;

pub(crate) use cookies::{Connection, host_bound_name, new_cookie, read_cookie, set_cookie, set_embeddable};
pub(crate) use form::{FormFields, is_same_origin, see_other, signer_page_of};
pub(crate) use headers::{Embedding, headers, render_page};
pub(crate) use lang::{Lang, PanelLang};
pub(crate) use page_error::{PageError, PageResult};
pub(crate) use texts::{panel_texts, texts};
