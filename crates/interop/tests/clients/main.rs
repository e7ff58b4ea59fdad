//! Every operation of the API, and the evidence, through HTTP clients that are not ours. reqwest is not among them: the
//! tests of `web` use it for every request.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod curl;
mod dotnet;
mod go;
mod java;
mod node;
mod php;
mod program;
mod python;
mod ruby;
mod sample;
mod transcript;
