//! The guide for integrators: its examples run with real programs, and its pages in a real browser.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod chapters;
mod examples;
mod pages;
mod programs;
mod receivers;
