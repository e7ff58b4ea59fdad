//! What the program is compared with: small servers, each of which does only what cannot be avoided. Each runs
//! as a process of its own, so that its cost can be measured apart from the clients'.

mod acts;
mod bare;
mod floor;
mod hash;
mod http;
mod replayed;
mod row;
mod sample;

pub(crate) use replayed::RECORDING;
pub(crate) use row::fill as fill_rows;

use parts::{Error, Result};
use std::path::Path;

/// Runs the peer of that name until the process is ended.
pub(crate) fn run(name: &str, port: u16, directory: &Path) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::while_("a runtime"))?;
    runtime.block_on(async {
        match name {
            "acts" => acts::serve(port, directory).await,
            "bare" => bare::serve(port, directory).await,
            "floor" => floor::serve(port, directory).await,
            "hash" => hash::serve(port).await,
            "replayed" => replayed::serve(port, directory).await,
            "row" => row::serve(port, directory).await,
            other => Err(Error::new(format!("there is no peer {other:?}"))),
        }
    })
}
