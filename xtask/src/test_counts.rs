//! Sums up what the test programs say of themselves, while showing it.

use std::io::{BufRead, BufReader, Read, Write};

use parts::Result;

/// How many tests there were, by their end.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TestCounts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
}

impl TestCounts {
    /// Passes the output on as it comes and counts along.
    pub(crate) fn follow(&mut self, output: impl Read, mut screen: impl Write) -> Result<()> {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            screen.write_all(&line)?;
            self.count(&String::from_utf8_lossy(&line));
            line.clear();
        }
        Ok(())
    }

    /// Reads a line such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    fn count(&mut self, line: &str) {
        let Some((_, counts)) = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for count in counts.split(';') {
            match count.trim().split_once(' ') {
                Some((number, "passed")) => self.passed += number.parse().unwrap_or(0),
                Some((number, "failed")) => self.failed += number.parse().unwrap_or(0),
                Some((number, "ignored")) => self.ignored += number.parse().unwrap_or(0),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_of_all_programs_are_summed() {
        let mut counts = TestCounts::default();
        let output = "running 4 tests\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 9 filtered out; finished in 0.02s\n\
            test result: FAILED. 5 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s\n";
        let mut screen = Vec::new();
        counts.follow(output.as_bytes(), &mut screen).unwrap();
        assert_eq!(screen, output.as_bytes());
        assert_eq!(
            counts,
            TestCounts {
                passed: 8,
                failed: 2,
                ignored: 1
            }
        );
    }
}
