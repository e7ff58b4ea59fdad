//! The master key: set, in a file that was named or that systemd hands over, or the sandbox's own.

use super::source::{SettingsSource, bad_setting};
use super::{BadSetting, Settings};
use crate::key_file;
use app::{MasterKey, SystemRandom};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Bytes of a key's file that are read: 64 characters and whatever blanks surround them.
const MAX_KEY_FILE_BYTES: u64 = 1024;
/// What systemd's `LoadCredential=` calls it.
const SYSTEMD_CREDENTIAL: &str = "firmeza-master-key";
/// In the mode of a file that every user of the machine may read. A group may have been given it on purpose.
const READABLE_BY_OTHERS: u32 = 0o004;

/// A key that the operator gives.
#[derive(Debug, Clone)]
pub(super) struct GivenKey {
    key: MasterKey,
    /// Where it was read, if not among the settings.
    file: Option<PathBuf>,
}

impl GivenKey {
    pub(super) fn read(source: &SettingsSource) -> Result<Option<Self>, BadSetting> {
        let credentials = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
        let credential = credentials
            .map(|directory| directory.join(SYSTEMD_CREDENTIAL))
            .filter(|path| path.exists());
        let file = match (source.get("master_key_file").map(PathBuf::from), credential) {
            (Some(named), Some(credential)) if named != credential => {
                let problem = format!("is given twice: systemd hands over {}", credential.display());
                return Err(bad_setting("master_key_file", problem));
            }
            (named, credential) => named.or(credential),
        };
        let key = source.get("master_key").map(|text| {
            MasterKey::from_hex(&text).map_err(|error| bad_setting("master_key", error.to_string()))
        });
        match (key.transpose()?, file) {
            (Some(_), Some(file)) => Err(bad_setting(
                "master_key",
                format!("is given twice: {} has a key too", file.display()),
            )),
            (Some(key), None) => Ok(Some(Self { key, file: None })),
            (None, Some(file)) => Ok(Some(Self {
                key: read(&file)?,
                file: Some(file),
            })),
            (None, None) => Ok(None),
        }
    }
}

impl Settings {
    /// The master key: the one that was given, or the sandbox's own, made at its first start.
    pub(crate) fn master_key(&self) -> Result<MasterKey, BadSetting> {
        match &self.given_key {
            Some(given) => Ok(given.key.clone()),
            None => own_master_key(&self.own_key_path()),
        }
    }

    /// The master key that is there: given, or made earlier. Makes none.
    pub(crate) fn given_master_key(&self) -> Result<Option<MasterKey>, BadSetting> {
        match &self.given_key {
            Some(given) => Ok(Some(given.key.clone())),
            None if self.own_key_path().exists() => self.master_key().map(Some),
            None => Ok(None),
        }
    }

    /// Whether the master key is given, and not made by the sandbox.
    pub(crate) const fn sets_master_key(&self) -> bool {
        self.given_key.is_some()
    }

    /// Where the sandbox keeps its own key.
    pub(crate) fn own_key_path(&self) -> PathBuf {
        self.data_dir.join("master.key")
    }

    /// Where a rotation keeps the sandbox's next key until everything is sealed with it.
    pub(crate) fn next_key_path(&self) -> PathBuf {
        self.own_key_path().with_extension("key.new")
    }

    /// The sandbox's next key, if a rotation was begun and not brought to its end.
    pub(crate) fn next_master_key(&self) -> Result<Option<MasterKey>, BadSetting> {
        let path = self.next_key_path();
        if self.sets_master_key() || !path.exists() {
            return Ok(None);
        }
        read(&path).map(Some)
    }

    /// Where the master key comes from, in words.
    pub(crate) fn master_key_place(&self) -> String {
        match &self.given_key {
            Some(GivenKey { file: None, .. }) => "FIRMEZA_MASTER_KEY".to_owned(),
            Some(GivenKey { file: Some(file), .. }) => file.display().to_string(),
            None => self.own_key_path().display().to_string(),
        }
    }

    /// The key's file, if every user of the machine may read it.
    pub(crate) fn exposed_key_file(&self) -> Option<PathBuf> {
        let file = match &self.given_key {
            Some(given) => given.file.clone()?,
            None => self.own_key_path(),
        };
        let mode = file.metadata().ok()?.permissions().mode();
        (mode & READABLE_BY_OTHERS != 0).then_some(file)
    }
}

fn key_file_error(path: &Path, problem: &dyn ToString) -> BadSetting {
    BadSetting::MasterKey {
        path: path.into(),
        problem: problem.to_string(),
    }
}

fn read(path: &Path) -> Result<MasterKey, BadSetting> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_KEY_FILE_BYTES).read_to_string(&mut text))
        .map_err(|error| key_file_error(path, &error))?;
    MasterKey::from_hex(&text).map_err(|error| key_file_error(path, &error))
}

/// Reads the sandbox's own key, making it where there is none. Of two processes that make one, the first one's is kept.
fn own_master_key(path: &Path) -> Result<MasterKey, BadSetting> {
    let is_there = path.try_exists().map_err(|error| key_file_error(path, &error))?;
    if !is_there {
        let key = MasterKey::random(&mut SystemRandom);
        key_file::create(path, &key.to_hex()).map_err(|error| key_file_error(path, &error))?;
    }
    read(path)
}
