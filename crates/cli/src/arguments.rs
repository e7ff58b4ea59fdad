//! What can be typed after `firmeza`.

use crate::commands::verify::TrustOptions;
use clap::{Parser, Subcommand};
use domain::{FolioId, Permissions};
use std::path::PathBuf;

const ABOUT: &str = "Electronic signatures that a company runs itself.";
const AFTER: &str = "\
Settings come from FIRMEZA_… variables, then from the file that FIRMEZA_CONFIG names, or
firmeza.toml in the current directory, or /etc/firmeza/firmeza.toml. Without any, the service
listens on 127.0.0.1:8080 and keeps everything in ./firmeza-data. `firmeza config check` looks
through the settings, and `firmeza doctor` tries each part.";

const MCP: &str = "\
FIRMEZA_API_KEY is the key to act with. FIRMEZA_URL is the address of the installation,
http://127.0.0.1:8080 if it is not set. Other settings do not matter here.";

#[derive(Debug, Parser)]
#[command(name = "firmeza", version, about = ABOUT, after_help = AFTER)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the service (also without any command)
    Serve,
    /// Add, rename and list companies
    Company {
        #[command(subcommand)]
        action: CompanyAction,
    },
    /// Make, list and revoke API keys
    Key {
        #[command(subcommand)]
        action: KeyAction,
    },
    /// Add, list and stop people who sign in to the panel
    User {
        #[command(subcommand)]
        action: UserAction,
    },
    /// List messages that did not arrive, and have them tried again
    Outbox {
        #[command(subcommand)]
        action: OutboxAction,
    },
    /// Read from standard input what a mail server reports of an email (RFC 3464, RFC 5965), for the folio's history
    Bounce,
    /// Copy everything into a directory, while the service runs; documents that are there are not copied again
    #[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
    Backup {
        /// The directory
        #[arg(value_name = "DIR", required = true)]
        directory: Option<PathBuf>,
        /// Put the master key into it as well: a person with the backup then has everything
        #[arg(long)]
        with_master_key: bool,
        /// Do not hash the documents that the directory has, nor the storage's: only their length is looked at
        #[arg(long)]
        quick: bool,
        #[command(subcommand)]
        action: Option<BackupAction>,
    },
    /// Hash every document in the storage, and check every history
    Inspect {
        /// Put back from this backup what signatures appended to documents, where it is damaged
        #[arg(long, value_name = "DIR")]
        mend_from: Option<PathBuf>,
    },
    /// Put a backup back where there is nothing, and look through it
    Restore {
        /// The directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Take the document storage over from the installation that it belongs to: that one stops. Documents that are
        /// newer than the backup are removed a day later
        #[arg(long)]
        take_over_storage: bool,
    },
    /// Say that the document storage is this installation's, or remove what no row of the database names
    Storage {
        #[command(subcommand)]
        action: StorageAction,
    },
    /// Put new keys in place of the master key or the authority's
    Rotate {
        #[command(subcommand)]
        what: RotateAction,
    },
    /// Revoke a certificate of the authority or of a signer: the lists of revoked certificates carry it from then on
    Revoke {
        /// Its SHA-256, or its serial number, in hexadecimal
        #[arg(value_name = "CERTIFICATE")]
        certificate: String,
        /// unspecified, key-compromise, authority-compromise, affiliation-changed, superseded, cessation-of-operation
        /// or privilege-withdrawn
        #[arg(long)]
        reason: String,
        /// Since when (2027-01-31T12:00:00Z); without it, from now on
        #[arg(long, value_name = "TIME")]
        at: Option<String>,
    },
    /// Add timestamps to the documents of signed folios now, instead of when they are due
    Reseal {
        /// The folios' identifiers
        #[arg(
            required_unless_present = "all_due",
            conflicts_with = "all_due",
            value_name = "FOLIO"
        )]
        folios: Vec<FolioId>,
        /// All that are due
        #[arg(long)]
        all_due: bool,
    },
    /// Bring the database up to this program's schema, and say which it is
    Migrate,
    /// Show the settings, check them, or print a settings file with all of them
    Config {
        #[command(subcommand)]
        action: ConfigAction,
    },
    /// Try each part of the installation and say what is wrong
    Doctor,
    /// Verify signed PDFs and evidence bundles, offline; succeeds if all of them are valid, and ends with 3 if all are
    /// intact but an issuer is not known
    Verify {
        /// Signed PDFs and evidence bundles
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print what was found as JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        trust: TrustOptions,
        /// Trust this installation's root, and know what it has revoked
        #[arg(long, conflicts_with_all = ["root", "tsa_root"])]
        installation: bool,
    },
    /// Offer the API to assistants on standard input and output (Model Context Protocol)
    #[command(after_help = MCP)]
    Mcp,
    /// Print a script by which a shell completes what is typed
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a directory, for packages
    #[command(hide = true)]
    Man {
        /// The directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
    /// Draw pages of documents for the service, which starts this by itself
    #[command(hide = true)]
    RenderWorker,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CompanyAction {
    /// Add a company
    Add {
        /// Its name
        name: String,
    },
    /// Say which sites may show a company's signing pages inside their own; without any, none may
    Embed {
        /// The company
        name: String,
        /// Origins such as <https://portal.example.com>
        origins: Vec<String>,
    },
    /// Give a company another name
    Rename {
        /// The company
        name: String,
        /// What it is called from now on
        new_name: String,
    },
    /// List the companies' names
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Show every setting that is in effect and where it comes from, without passwords and keys
    Show,
    /// Name every problem of the settings. Exits with 1 if there is one
    Check,
    /// Print a settings file with every setting, as comments
    Template,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BackupAction {
    /// Hash the rows and documents of a backup, without putting it back
    Verify {
        /// The directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
    /// Remove backups that are older, and from younger ones the documents that they no longer need
    Prune {
        /// The directory of a backup, or one with directories of backups in it
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// How many days old
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        older_than: u32,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum StorageAction {
    /// Make the storage this installation's, whosever it was: the other one does not start on it any more
    Claim,
    /// Remove documents that no row names, as the service does every hour
    Sweep {
        /// Also if many of them look like that. Documents are gone for good
        #[arg(long)]
        force: bool,
    },
    /// Remove what was erased from the free space of the database's files. Where it is a file, writes wait meanwhile
    Compact,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RotateAction {
    /// Seal everything again under another master key; refused while an instance runs. Start the service with the new key
    MasterKey {
        /// Read the new key, 64 hexadecimal characters, from standard input
        #[arg(long)]
        key_stdin: bool,
        /// End the links that were sent, for a key that others know: signers need new emails
        #[arg(long)]
        end_links: bool,
    },
    /// Take a new issuer and new certificates into use; instances that run do so by themselves
    Authority,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyAction {
    /// Make an API key; it is printed once, as the last line
    Add {
        /// The company it acts for
        #[arg(long)]
        company: String,
        /// The last day it works (YYYY-MM-DD), or a time (2027-01-31T12:00:00Z)
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
        /// What it may be used for: create, read, download, act (resend, cancel, bulk), evidence; all of it by default
        #[arg(long, value_name = "LIST", default_value_t = Permissions::ALL)]
        permissions: Permissions,
        /// What it is for
        #[arg(long, default_value = "", value_name = "TEXT")]
        label: String,
    },
    /// List a company's keys, without their secrets
    List {
        /// The company
        #[arg(long)]
        company: String,
    },
    /// Revoke a key, from now on and everywhere
    Revoke {
        /// The key itself, or its identifier
        key_or_id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserAction {
    /// Add a person
    Add {
        /// The company
        #[arg(long)]
        company: String,
        /// The address to sign in with
        #[arg(long)]
        email: String,
        /// administrator, supervisor or reader
        #[arg(long)]
        role: domain::Role,
        /// The person's name; without it, the address before the @
        #[arg(long)]
        name: Option<String>,
        /// Read the first password from standard input
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// List a company's people
    List {
        /// The company
        #[arg(long)]
        company: String,
    },
    /// Let a person not sign in any more, and end the sessions there are
    Disable {
        /// The address
        #[arg(long)]
        email: String,
    },
    /// Let a person sign in again
    Enable {
        /// The address
        #[arg(long)]
        email: String,
    },
    /// Give a person another password, and end the sessions there are
    Password {
        /// The address
        #[arg(long)]
        email: String,
        /// Read the password from standard input
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Take a second factor off whose telephone is lost, and end the sessions there are
    RemoveSecondFactor {
        /// The address
        #[arg(long)]
        email: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum OutboxAction {
    /// List messages that were given up
    List {
        /// List those that still wait instead
        #[arg(long)]
        waiting: bool,
    },
    /// Have messages tried again that were given up, or that an instance held when it died. Exits with 1 if there are none
    Retry {
        /// Their numbers, as `list` shows them
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        numbers: Vec<store::MessageRow>,
        /// All of them
        #[arg(long)]
        all: bool,
    },
}
