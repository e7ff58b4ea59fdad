//! `firmeza migrate`: the database brought up to date, without serving.

use crate::settings::Settings;
use crate::wiring;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings) -> Result<ExitCode, Box<dyn Error>> {
    let version = wiring::migrate(settings).await?;
    println!("The database is at migration {version}, the newest this program knows.");
    Ok(ExitCode::SUCCESS)
}
