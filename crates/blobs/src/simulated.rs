//! Storage in a simulation: work runs on the thread of the simulation, which says how it goes.

use crate::Error;
use std::cell::RefCell;

/// How an access to the storage goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Well.
    None,
    /// Nothing is done.
    Refused,
    /// It is done, and the answer lost.
    AnswerLost,
}

type Faults = Box<dyn FnMut() -> Fault>;

thread_local! {
    static FAULTS: RefCell<Option<Faults>> = const { RefCell::new(None) };
}

/// From now on this thread does all work on blobs itself, and `faults` is asked each time how it goes; until there are none
/// any more.
pub fn set_faults(faults: Option<Faults>) {
    FAULTS.set(faults);
}

/// Whether this thread is a simulation's.
pub(crate) fn is_on() -> bool {
    FAULTS.with_borrow(Option::is_some)
}

/// Nothing on a thread that is not a simulation's.
pub(crate) fn next_fault() -> Option<Fault> {
    FAULTS.with_borrow_mut(|faults| faults.as_mut().map(|next| next()))
}

pub(crate) fn run<T>(work: impl FnOnce() -> Result<T, Error>, fault: Fault) -> Result<T, Error> {
    let lost = || Error::Unavailable {
        action: "simulated".to_owned(),
        source: "the storage did not answer".into(),
    };
    match fault {
        Fault::None => work(),
        Fault::Refused => Err(lost()),
        Fault::AnswerLost => work().and(Err(lost())),
    }
}
