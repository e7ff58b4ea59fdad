//! `firmeza migrate`: the database brought up to date, without serving.

use crate::settings::Settings;
use crate::wiring::open_store;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings) -> Result<ExitCode, Box<dyn Error>> {
    let store = open_store(settings).await?;
    let version = store.read(store::applied_version).await?;
    println!("The database is at migration {version}, the newest this program knows.");
    Ok(ExitCode::SUCCESS)
}
