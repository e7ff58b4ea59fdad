//! The sandbox of a worker: it reaches its standard streams and nothing else. A document that takes the
//! renderer over finds no file, no network, no other process, and no key.

use std::io;
use std::process::ExitCode;

/// Room for deeply nested pages.
const STACK_BYTES: usize = 64 << 20;

/// How far a worker is confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sandbox {
    /// Landlock: no file can be opened, no port reached, no process outside signalled.
    pub landlock: bool,
    /// seccomp: only the few system calls that drawing needs, on the standard streams only.
    pub seccomp: bool,
}

impl Sandbox {
    /// Whether a worker that was taken over reaches nothing. seccomp alone is enough: it forbids all calls that
    /// Landlock forbids.
    pub const fn holds(self) -> bool {
        self.seccomp
    }
}

/// Runs `work` on a thread of its own, in a process that reaches only its standard streams from then on.
///
/// Landlock binds the calling thread and the threads that it starts, so it comes before the thread. seccomp
/// binds every thread, so it comes after. No other thread can be started from then on.
pub fn run_confined(work: impl FnOnce(Sandbox) -> io::Result<()> + Send + 'static) -> ExitCode {
    system::close_inherited();
    let landlock = system::restrict_files();
    let confined = move || {
        let seccomp = system::restrict_calls();
        work(Sandbox { landlock, seccomp })
    };
    let thread = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(confined);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeMap;
    use std::fs;
    use std::os::fd::RawFd;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope,
    };
    use nix::libc;
    use seccompiler::{
        BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
        SeccompFilter, SeccompRule,
    };

    /// The newest version of Landlock; an older kernel enforces the parts it supports.
    const LANDLOCK: ABI = ABI::V6;

    /// Calls that take memory, time or randomness, or end the process: nothing outside it.
    const ALLOWED_CALLS: [libc::c_long; 17] = [
        libc::SYS_brk,
        libc::SYS_clock_gettime,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_futex,
        libc::SYS_getpid,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_madvise,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_restart_syscall,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_yield,
        libc::SYS_sigaltstack,
    ];

    /// Closes descriptors that the service itself inherited, or that one of its libraries opened without
    /// close-on-exec. Without `/proc` they stay open, but seccomp forbids to read or write them.
    pub(super) fn close_inherited() {
        let Ok(listing) = fs::read_dir("/proc/self/fd") else {
            return;
        };
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<RawFd>().ok();
        let open: Vec<RawFd> = listing.flatten().filter_map(number).collect();
        for descriptor in open
            .into_iter()
            .filter(|descriptor| *descriptor > libc::STDERR_FILENO)
        {
            // It fails for the listing's own descriptor, which is closed already.
            let _ = nix::unistd::close(descriptor);
        }
    }

    /// Forbids this thread, and the threads that it starts, all files, ports and other processes.
    pub(super) fn restrict_files() -> bool {
        let restrict = || -> Result<RulesetStatus, RulesetError> {
            let rules = Ruleset::default()
                .handle_access(AccessFs::from_all(LANDLOCK))?
                .handle_access(AccessNet::from_all(LANDLOCK))?
                .scope(Scope::from_all(LANDLOCK))?;
            Ok(rules.create()?.restrict_self()?.ruleset)
        };
        restrict().is_ok_and(|status| status != RulesetStatus::NotEnforced)
    }

    /// Forbids every thread all calls but those of drawing; the others fail with `EPERM`.
    pub(super) fn restrict_calls() -> bool {
        filter().is_ok_and(|filter| seccompiler::apply_filter_all_threads(&filter).is_ok())
    }

    fn filter() -> Result<BpfProgram, BackendError> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            ALLOWED_CALLS.into_iter().map(|call| (call, Vec::new())).collect();
        let reads = vec![rule([argument(0, libc::STDIN_FILENO)])?];
        rules.insert(libc::SYS_read, reads.clone());
        rules.insert(libc::SYS_readv, reads);
        let writes = vec![
            rule([argument(0, libc::STDOUT_FILENO)])?,
            rule([argument(0, libc::STDERR_FILENO)])?,
        ];
        rules.insert(libc::SYS_write, writes.clone());
        rules.insert(libc::SYS_writev, writes);
        // Anonymous memory that is not executable.
        let not_executable = || masked(2, libc::PROT_EXEC, 0);
        let anonymous = masked(3, libc::MAP_ANONYMOUS, libc::MAP_ANONYMOUS);
        rules.insert(libc::SYS_mmap, vec![rule([not_executable(), anonymous])?]);
        rules.insert(libc::SYS_mprotect, vec![rule([not_executable()])?]);
        // Limits and signals of this process only: without memory it aborts, and the service learns the reason.
        rules.insert(libc::SYS_prlimit64, vec![rule([argument(0, 0)])?]);
        let own = i32::try_from(std::process::id()).unwrap_or(0);
        rules.insert(libc::SYS_tgkill, vec![rule([argument(0, own)])?]);
        let denied = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into()?;
        SeccompFilter::new(rules, denied, SeccompAction::Allow, arch)?.try_into()
    }

    fn rule<const N: usize>(
        conditions: [Result<SeccompCondition, BackendError>; N],
    ) -> Result<SeccompRule, BackendError> {
        SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)
    }

    fn argument(place: u8, value: i32) -> Result<SeccompCondition, BackendError> {
        compare(place, SeccompCmpOp::Eq, value)
    }

    fn masked(place: u8, mask: i32, value: i32) -> Result<SeccompCondition, BackendError> {
        compare(
            place,
            SeccompCmpOp::MaskedEq(u64::from(mask.unsigned_abs())),
            value,
        )
    }

    fn compare(place: u8, operator: SeccompCmpOp, value: i32) -> Result<SeccompCondition, BackendError> {
        let value = u64::from(value.unsigned_abs());
        SeccompCondition::new(place, SeccompCmpArgLen::Dword, operator, value)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn close_inherited() {}

    pub(super) const fn restrict_files() -> bool {
        false
    }

    pub(super) const fn restrict_calls() -> bool {
        false
    }
}
