//! What only a sandbox offers, so that an integrator's tests run the whole life of a folio without a browser: a clock that
//! moves, and signers that act as a test says.

pub mod clock;
pub mod signers;
