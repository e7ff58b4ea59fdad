//! `firmeza completions` and `firmeza man`: what packages install beside the program.

use crate::arguments::Arguments;
use clap::CommandFactory;
use clap_complete::Shell;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn completions(shell: Shell) -> ExitCode {
    clap_complete::generate(
        shell,
        &mut Arguments::command(),
        "firmeza",
        &mut std::io::stdout(),
    );
    ExitCode::SUCCESS
}

pub(crate) fn man(directory: &Path) -> Result<ExitCode, Box<dyn Error>> {
    std::fs::create_dir_all(directory)?;
    clap_mangen::generate_to(Arguments::command(), directory)?;
    Ok(ExitCode::SUCCESS)
}
