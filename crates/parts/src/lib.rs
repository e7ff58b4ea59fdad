//! Real servers and tools for tests: found, installed, started on free ports, and gone afterwards.
