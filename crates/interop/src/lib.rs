//! The API through HTTP clients that are not ours. Each client has a program in its own language, in `clients`; the
//! tests run it against the server. What the program sent is read on the wire, by the recorder here.

mod recorder;

pub use recorder::Recorder;
