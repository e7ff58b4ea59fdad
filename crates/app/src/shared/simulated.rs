//! What a simulation puts in the place of the system's randomness, on its own thread alone.

use std::cell::RefCell;

type Fill = Box<dyn FnMut(&mut [u8])>;

thread_local! {
    static RANDOM: RefCell<Option<Fill>> = const { RefCell::new(None) };
}

/// From now on this thread takes its random bytes from `random`, and does blocking work itself; until there is none any
/// more.
pub fn set_random(random: Option<Fill>) {
    RANDOM.set(random);
}

pub(crate) fn is_on() -> bool {
    RANDOM.with_borrow(Option::is_some)
}

/// Whether the bytes were filled: this thread is a simulation's.
pub(crate) fn fill(bytes: &mut [u8]) -> bool {
    RANDOM.with_borrow_mut(|random| random.as_mut().map(|fill| fill(bytes)).is_some())
}
