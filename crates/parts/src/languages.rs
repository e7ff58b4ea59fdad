//! What runs the examples of the guide for integrators. Python's packages and Node are in environments of their own.

use crate::Part;
use crate::packages::Need;

pub const EXAMPLE_LANGUAGES: Part = Part {
    needs: &[
        Need::Program {
            name: "bash",
            package: "bash",
        },
        Need::Program {
            name: "curl",
            package: "curl",
        },
        Need::Program {
            name: "openssl",
            package: "openssl",
        },
        // `java FILE` compiles, too.
        Need::Program {
            name: "javac",
            package: "default-jdk-headless",
        },
        Need::Program {
            name: "php",
            package: "php-cli",
        },
        Need::PhpExtension {
            name: "curl",
            package: "php-curl",
        },
        Need::Program {
            name: "mono",
            package: "mono-runtime",
        },
        Need::Program {
            name: "mcs",
            package: "mono-mcs",
        },
        Need::File {
            path: "/usr/lib/mono/4.5/System.Net.Http.dll",
            package: "libmono-system-net-http4.0-cil",
        },
    ],
};
