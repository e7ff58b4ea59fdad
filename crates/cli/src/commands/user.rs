//! `firmeza user`: people who sign in to the panel. Passwords come by standard input, and are never printed.

use super::key::{explain, show};
use crate::arguments::UserAction;
use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::open_operator;
use app::operator::users::UserRequest;
use app::panel::{Password, PasswordOwner};
use domain::{Email, PersonName, Timestamp};
use std::error::Error;
use std::io::{BufRead, Read};
use std::process::ExitCode;

/// Bytes of a password that are read.
const MAX_PASSWORD_BYTES: u64 = 4096;

pub(crate) async fn run(settings: &Settings, action: UserAction) -> Result<ExitCode, Box<dyn Error>> {
    let operator = open_operator(settings).await?;
    let unknown_address = |email: &str| format!("there is nobody with the address {email}");
    match action {
        UserAction::Add {
            company,
            email,
            role,
            name,
            password_stdin: _,
        } => {
            let email = Email::new(email.trim()).map_err(|problem| format!("the address {problem}"))?;
            let local = email.as_str().split('@').next().unwrap_or_default().to_owned();
            let name =
                PersonName::new(name.unwrap_or(local)).map_err(|problem| format!("the name {problem}"))?;
            let password = read_password(&PasswordOwner {
                email: email.as_str().to_owned(),
                name: name.as_str().to_owned(),
                company: company.clone(),
            })?;
            let request = UserRequest {
                company: company.clone(),
                email: email.clone(),
                name,
                role,
                password,
            };
            let added = operator.add_user(request).await;
            let unknown = format!("there is no company called {company}");
            if added.map_err(|error| explain(error, unknown))?.is_none() {
                return Err(format!("there is somebody with the address {} already", email.as_str()).into());
            }
            say!("Added {} to {company} as {role}.", email.as_str());
        }
        UserAction::List { company } => {
            let unknown = format!("there is no company called {company}");
            let users = operator
                .users(company)
                .await
                .map_err(|error| explain(error, unknown))?;
            let shown =
                |at: Option<Timestamp>| at.map_or_else(|| "-".into(), |at| show(at, &settings.timezone));
            say!(
                "{:13}  {:19}  {:19}  {:19}  {:13}  email",
                "role",
                "added",
                "last signed in",
                "disabled",
                "second factor"
            );
            for user in users {
                let second = if user.totp_secret.is_some() { "yes" } else { "no" };
                say!(
                    "{:13}  {:19}  {:19}  {:19}  {second:13}  {}",
                    user.role,
                    shown(Some(user.created_at)),
                    shown(user.last_sign_in_at),
                    shown(user.disabled_at),
                    user.email
                );
            }
        }
        UserAction::Disable { email } => {
            let done = operator.set_user_enabled(&email, false).await;
            done.map_err(|error| explain(error, unknown_address(&email)))?;
            say!("{email} cannot sign in any more.");
        }
        UserAction::Enable { email } => {
            let done = operator.set_user_enabled(&email, true).await;
            done.map_err(|error| explain(error, unknown_address(&email)))?;
            say!("{email} can sign in again.");
        }
        UserAction::Password {
            email,
            password_stdin: _,
        } => {
            let owner = operator.password_owner(&email).await;
            let password = read_password(&owner.map_err(|error| explain(error, unknown_address(&email)))?)?;
            let done = operator.set_user_password(&email, password).await;
            done.map_err(|error| explain(error, unknown_address(&email)))?;
            say!("{email} has another password, and no open sessions.");
        }
        UserAction::RemoveSecondFactor { email } => {
            let done = operator.remove_second_factor(&email).await;
            if !done.map_err(|error| explain(error, unknown_address(&email)))? {
                return Err(format!("{email} has no second factor").into());
            }
            say!("{email} signs in with the password alone.");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The first line of standard input.
fn read_password(owner: &PasswordOwner) -> Result<Password, Box<dyn Error>> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .take(MAX_PASSWORD_BYTES)
        .read_line(&mut line)?;
    Ok(Password::new(line.trim_end_matches(['\r', '\n']), owner)?)
}
