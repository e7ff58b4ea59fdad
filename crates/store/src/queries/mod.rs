//! The queries, one file per noun, as methods of [`crate::Tx`].

mod clock_steps;
pub(crate) mod delivery;
pub(crate) mod due_times;
mod enum_columns;
pub(crate) mod folios;
pub(crate) mod leases;
pub(crate) mod operator;
pub(crate) mod panel;
pub(crate) mod projections;
pub(crate) mod signing;
