//! Whether the renderer draws all that a page says: its contents, and the forms, patterns, glyphs, masks and
//! appearances that it uses. The renderer leaves out what it does not understand, and says so of fonts and images
//! only. `UNDRAWN.md`, beside this crate's manifest, lists what it leaves out, and how each is found.

mod operators;
mod page;
mod saved_states;

pub(super) use page::read;
