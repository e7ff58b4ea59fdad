//! An identity provider (`OpenID` Connect): panva's oidc-provider, run by Node.

use std::fs;
use std::net::TcpStream;
use std::process::Command;

use crate::npm::{IDENTITY_PROVIDER, NodeModules};
use crate::{End, Result, Scratch, free_port};

const NAME: &str = "oidc-provider";

/// A throwaway provider on 127.0.0.1. Everybody's password there is `clave`.
#[derive(Debug)]
pub struct IdentityProvider {
    scratch: Scratch,
    port: u16,
}

impl IdentityProvider {
    /// Starts it with these settings: JSON with `clients`, `key`, `claims_in_token` and `people`.
    pub fn start(settings: &str) -> Result<Self> {
        let packages = NodeModules::of(&IDENTITY_PROVIDER)?;
        let mut provider = Self {
            scratch: Scratch::new()?,
            port: free_port()?,
        };
        provider.set(settings)?;
        let own = provider.scratch.directory().to_path_buf();
        fs::write(
            own.join("identity_provider.mjs"),
            include_str!("identity_provider.mjs"),
        )?;
        let mut command = Command::new(packages.node());
        command
            .current_dir(&own)
            .arg("identity_provider.mjs")
            .arg(provider.port.to_string())
            .arg(packages.directory());
        provider.scratch.start(NAME, &mut command, End::KillGroup)?;
        let port = provider.port;
        provider
            .scratch
            .wait_until(NAME, || TcpStream::connect(("127.0.0.1", port)).is_ok())?;
        Ok(provider)
    }

    /// Other settings, from the next request on.
    pub fn set(&self, settings: &str) -> Result<()> {
        let directory = self.scratch.directory();
        // Whole at once: the provider reads it with each request.
        fs::write(directory.join("settings.new"), settings)?;
        fs::rename(directory.join("settings.new"), directory.join("settings.json"))?;
        Ok(())
    }

    /// What it calls itself.
    pub fn issuer(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}
