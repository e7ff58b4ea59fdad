//! What a process and everything it started cost: processor time and memory, as the system counts them.

use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use parts::{Error, Result};
use std::fs;
use std::time::Duration;

/// Ticks a second in `/proc`: the same on every Linux that Rust runs on.
const TICKS_PER_SECOND: f64 = 100.0;
/// How long a server is left alone before it is read, so that what it put off is counted too. Of what costs anything, the
/// words for the search wait longest: until 1.2 s after the last act.
const SETTLE_TIME: Duration = Duration::from_millis(1_500);

/// Seconds of processor time that the process and its descendants have used, once they are at rest.
pub(crate) fn seconds(process: u32) -> Result<f64> {
    std::thread::sleep(SETTLE_TIME);
    seconds_now(process)
}

/// The same, without waiting.
pub(crate) fn seconds_now(process: u32) -> Result<f64> {
    let mut sum = spent(process)?;
    for child in children(process)? {
        // It may have ended in between; its time is then in its parent's.
        sum += spent(child).unwrap_or(0.0);
    }
    Ok(sum)
}

/// What a process has used, by its own clock, which counts nanoseconds; and its children that have ended, in ticks.
fn spent(process: u32) -> Result<f64> {
    let ended = stat(process)?.ticks_of_ended / TICKS_PER_SECOND;
    let id = Pid::from_raw(i32::try_from(process).unwrap_or(-1));
    let own = clock_getcpuclockid(id).and_then(clock_gettime);
    let own = own.map_err(Error::while_("a process's clock"))?;
    Ok(Duration::from(own).as_secs_f64() + ended)
}

/// Nanoseconds of processor time that the living threads of some processes have used.
pub(crate) fn nanoseconds(processes: &[u32]) -> Result<u64> {
    let mut sum = 0;
    for process in processes {
        for task in fs::read_dir(format!("/proc/{process}/task"))? {
            let text = fs::read_to_string(task?.path().join("schedstat"))?;
            let spent = text
                .split_whitespace()
                .next()
                .and_then(|number| number.parse::<u64>().ok());
            sum += spent.ok_or_else(|| Error::new(format!("process {process} has no statistics")))?;
        }
    }
    Ok(sum)
}

/// Memory of the process in MiB: what it holds now, and the most it held.
pub(crate) fn memory(process: u32) -> Result<(f64, f64)> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let mebibytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
        number
            .map(|kibibytes| kibibytes / 1024.0)
            .ok_or_else(|| Error::new(format!("no {name} of process {process}")))
    };
    Ok((mebibytes("VmRSS:")?, mebibytes("VmHWM:")?))
}

/// Forgets the most memory the process held.
pub(crate) fn reset_peak(process: u32) -> Result<()> {
    Ok(fs::write(format!("/proc/{process}/clear_refs"), "5")?)
}

struct Stat {
    parent: u32,
    ticks_of_ended: f64,
}

fn stat(process: u32) -> Result<Stat> {
    let text = fs::read_to_string(format!("/proc/{process}/stat"))?;
    parse(&text).ok_or_else(|| Error::new(format!("process {process} has no statistics")))
}

/// The name, in parentheses, may hold anything; numbers follow it.
fn parse(text: &str) -> Option<Stat> {
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let parent = fields.get(1)?.parse().ok()?;
    // The time of children that have ended: in user code, and in the system's.
    let ticks = fields.get(13..15)?.iter().map(|field| field.parse::<f64>());
    let ticks_of_ended = ticks.sum::<std::result::Result<f64, _>>().ok()?;
    Some(Stat {
        parent,
        ticks_of_ended,
    })
}

/// The descendants of a process.
pub(crate) fn children(process: u32) -> Result<Vec<u32>> {
    let mut parents = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let Some(id) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        if let Ok(stat) = stat(id) {
            parents.push((id, stat.parent));
        }
    }
    let mut family = vec![process];
    let mut at = 0;
    while let Some(parent) = family.get(at).copied() {
        family.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(id, _)| *id));
        at += 1;
    }
    Ok(family.split_off(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_is_no_trouble() {
        let text = "7 (a) b) S 3 7 7 0 -1 0 0 0 0 0 10 20 1 2 20 0 1 0 9";
        let stat = parse(text).unwrap();
        assert_eq!((stat.parent, stat.ticks_of_ended), (3, 3.0));
    }

    #[test]
    fn this_process_is_found() {
        assert!(seconds_now(std::process::id()).unwrap() > 0.0);
        assert!(memory(std::process::id()).unwrap().0 > 0.0);
    }
}
