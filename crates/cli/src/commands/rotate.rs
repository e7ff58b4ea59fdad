//! `firmeza rotate`: new keys in place of old ones.

use crate::arguments::RotateAction;
use crate::key_file;
use crate::settings::Settings;
use crate::wiring::{master_key, open_store};
use app::operator::master_key::{OldLinks, check_none_runs, rotate_master_key};
use app::{Clock, MasterKey, Notary, SystemRandom};
use std::error::Error;
use std::fs::File;
use std::process::ExitCode;

pub(crate) async fn run(settings: &Settings, what: RotateAction) -> Result<ExitCode, Box<dyn Error>> {
    match what {
        RotateAction::MasterKey { key_stdin, end_links } => {
            let old_links = if end_links { OldLinks::Die } else { OldLinks::Open };
            rotate(settings, key_stdin, old_links).await?;
        }
        RotateAction::Authority => {
            let store = open_store(settings).await?;
            let master = master_key(settings).await?.with_kept_keys(&store).await?;
            let (token, base_url) = (settings.token.as_ref(), &settings.base_url);
            Notary::rotate(&store, &master, &Clock::System, token, base_url).await?;
            println!("The authority has a new issuer and new certificates, under the same root.");
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn rotate(settings: &Settings, key_stdin: bool, old_links: OldLinks) -> Result<(), Box<dyn Error>> {
    let new = if key_stdin {
        MasterKey::from_hex(&std::io::read_to_string(std::io::stdin())?)?
    } else if settings.sets_master_key() {
        // Printed after the fact, it could be lost with the terminal.
        return Err(
            "make a new key, keep it safe, and give it: openssl rand -hex 32 | tee new.key | \
                    firmeza rotate master-key --key-stdin"
                .into(),
        );
    } else {
        MasterKey::random(&mut SystemRandom)
    };
    let store = open_store(settings).await?;
    // Two rotations would take each other's new key for their own.
    let lock = File::create(settings.data_dir.join("rotate.lock"))?;
    lock.try_lock()
        .map_err(|error| format!("another rotation is under way: {error}"))?;
    let old = master_key(settings).await?.with_kept_keys(&store).await?;
    if old.to_hex() == new.to_hex() {
        return Err("that is the present key".into());
    }
    // Asked again in the transaction that seals everything again.
    store.write(check_none_runs).await?;
    // The key is durable before anything is sealed with it. If this is killed afterwards, the next start puts it in place.
    if !settings.sets_master_key() {
        key_file::write(&settings.next_key_path(), &new.to_hex())?;
    }
    let (database, now) = (settings.database.clone(), Clock::System.now());
    let rotated =
        tokio::task::spawn_blocking(move || rotate_master_key(&database, &old, &new, old_links, now));
    let count = rotated.await??;
    println!("Sealed anew: {count} keys and secrets.");
    if settings.sets_master_key() {
        println!(
            "Put the new key into {} of every instance, and start them with it.",
            settings.master_key_place()
        );
    } else {
        let path = settings.own_key_path();
        key_file::replace(&settings.next_key_path(), &path)?;
        println!("The new key is in {}.", path.display());
    }
    println!(
        "{}",
        match old_links {
            OldLinks::Open =>
                "Links that were sent still open; signers who are signing now begin again with their link.",
            OldLinks::Die => "Links that were sent open no more: send the emails again.",
        }
    );
    Ok(())
}
