//! Caddy, which tests start with the configuration that is tried.

use crate::Part;
use crate::packages::Need;

pub const CADDY: Part = Part {
    needs: &[Need::Program {
        name: "caddy",
        package: "caddy",
    }],
};
