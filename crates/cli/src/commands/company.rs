//! `firmeza company`: who uses this installation.

use crate::arguments::CompanyAction;
use crate::settings::Settings;
use crate::wiring::open_office;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings, action: CompanyAction) -> Result<ExitCode, Box<dyn Error>> {
    let office = open_office(settings).await?;
    match action {
        CompanyAction::Add { name } => {
            let name = domain::PersonName::new(name).map_err(|problem| format!("the name {problem}"))?;
            if !office.add_company(name.to_string()).await? {
                return Err(format!("there is a company called {name} already").into());
            }
            println!("Added {name}.");
        }
        CompanyAction::List => {
            for name in office.companies().await? {
                println!("{name}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
