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
        CompanyAction::Embed { name, origins } => {
            let origins = origins
                .iter()
                .map(|text| origin(text))
                .collect::<Result<Vec<_>, _>>()?;
            if !office.set_embedding(name.clone(), origins.clone()).await? {
                return Err(format!("there is no company called {name}").into());
            }
            match origins.as_slice() {
                [] => println!("Nobody may show the pages of {name} inside their own."),
                _ => println!("{} may show the pages of {name}.", origins.join(", ")),
            }
        }
        CompanyAction::Rename { name, new_name } => {
            let new_name =
                domain::PersonName::new(new_name).map_err(|problem| format!("the name {problem}"))?;
            let renamed = office.rename_company(name.clone(), new_name.to_string()).await;
            match renamed {
                Ok(true) => println!("{name} is called {new_name} from now on."),
                Ok(false) => return Err(format!("there is a company called {new_name} already").into()),
                Err(app::Error::NotFound) => return Err(format!("there is no company called {name}").into()),
                Err(error) => return Err(error.into()),
            }
        }
        CompanyAction::List => {
            for name in office.companies().await? {
                println!("{name}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// An origin as browsers write it: scheme, host and port, nothing else.
fn origin(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).map_err(|error| format!("{text}: {error}"))?;
    let secure = url.scheme() == "https" || matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if !(secure && bare && url.origin().is_tuple() && url.username().is_empty()) {
        return Err(format!(
            "{text} is not an origin such as https://portal.example.com"
        ));
    }
    Ok(url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::origin;

    #[test]
    fn origins_are_bare() {
        assert_eq!(
            origin("https://Portal.example.com/").unwrap(),
            "https://portal.example.com"
        );
        assert_eq!(origin("http://localhost:3000").unwrap(), "http://localhost:3000");
        for bad in [
            "portal.example.com",
            "http://example.com",
            "https://example.com/x",
            "https://a@example.com",
            "data:x",
            "https://example.com; script-src *",
        ] {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }
}
