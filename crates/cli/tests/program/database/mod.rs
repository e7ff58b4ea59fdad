//! `PostgreSQL` as its administrators run it.

mod failover;
mod missing_standby;
mod pooler;
mod roles;
