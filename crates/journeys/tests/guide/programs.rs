//! The programs that run examples.

use parts::{EXAMPLE_LANGUAGES, NODE, REQUESTS, Result, Venv, provide};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the programs are.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    python: PathBuf,
    node: PathBuf,
}

impl Programs {
    /// Installs what is missing. Blocks.
    pub(crate) fn provide() -> Result<Self> {
        provide(&[&EXAMPLE_LANGUAGES])?;
        Ok(Self {
            python: Venv::of(&REQUESTS)?.program("python"),
            node: Venv::of(&NODE)?.program("node"),
        })
    }

    /// Writes an example into a directory, compiles it where its language wants that, and returns the command that runs it.
    pub(crate) fn prepare(&self, language: &str, text: &str, directory: &Path) -> Result<Command> {
        let file = match language {
            "bash" | "sh" => "example.sh",
            "python" => "example.py",
            "javascript" => "example.mjs",
            "java" => "Example.java",
            "php" => "example.php",
            "csharp" => "example.cs",
            other => panic!("nothing runs {other}"),
        };
        fs::write(directory.join(file), text)?;
        let program = match language {
            "python" => self.python.clone(),
            "javascript" => self.node.clone(),
            "csharp" => {
                let mut compiler = Command::new("mcs");
                compiler.args(["-r:System.Net.Http.dll", "-out:example.exe", file]);
                parts::run(in_directory(&mut compiler, directory))?;
                "mono".into()
            }
            "java" | "php" => language.into(),
            _ => "bash".into(),
        };
        let mut command = Command::new(program);
        in_directory(&mut command, directory);
        command.arg(if language == "csharp" { "example.exe" } else { file });
        Ok(command)
    }
}

fn in_directory<'c>(command: &'c mut Command, directory: &Path) -> &'c mut Command {
    // Java before 18 reads source files in the encoding of the locale.
    command.current_dir(directory).env("LC_ALL", "C.UTF-8")
}
