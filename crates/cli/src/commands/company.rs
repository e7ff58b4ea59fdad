//! `firmeza company`: who uses this installation.

use crate::arguments::CompanyAction;
use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::open_operator;
use domain::embedding::origin;
use std::error::Error;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings, action: CompanyAction) -> Result<ExitCode, Box<dyn Error>> {
    let operator = open_operator(settings).await?;
    match action {
        CompanyAction::Add { name } => {
            let name = domain::PersonName::new(name).map_err(|problem| format!("the name {problem}"))?;
            if !operator.add_company(name.to_string()).await? {
                return Err(format!("there is a company called {name} already").into());
            }
            say!("Added {name}.");
        }
        CompanyAction::Embed { name, origins } => {
            let origins = origins
                .iter()
                .map(|text| origin(text).map_err(|problem| format!("{text} is {problem}")))
                .collect::<Result<Vec<_>, _>>()?;
            if !operator.set_embedding(name.clone(), origins.clone()).await? {
                return Err(format!("there is no company called {name}").into());
            }
            match origins.as_slice() {
                [] => say!("Nobody may show the pages of {name} inside their own."),
                _ => say!("{} may show the pages of {name}.", origins.join(", ")),
            }
        }
        CompanyAction::Rename { name, new_name } => {
            let new_name =
                domain::PersonName::new(new_name).map_err(|problem| format!("the name {problem}"))?;
            let renamed = operator.rename_company(name.clone(), new_name.to_string()).await;
            match renamed {
                Ok(true) => say!("{name} is called {new_name} from now on."),
                Ok(false) => return Err(format!("there is a company called {new_name} already").into()),
                Err(app::Error::NotFound) => return Err(format!("there is no company called {name}").into()),
                Err(error) => return Err(error.into()),
            }
        }
        CompanyAction::List => {
            for name in operator.companies().await? {
                say!("{name}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
