//! HTTP clients of other languages, for tests that call the API as integrators do. Those of Python and of Node are in
//! environments of their own.

use crate::Part;
use crate::packages::Need;

pub const CURL: Part = Part {
    needs: &[Need::Program {
        name: "curl",
        package: "curl",
    }],
};

/// Java with `java.net.http`, and `HttpClient` 4 and 5 of Apache. Programs run from their source file.
pub const JAVA_CLIENTS: Part = Part {
    needs: &[
        Need::Program {
            name: "javac",
            package: "openjdk-17-jdk-headless",
        },
        Need::File {
            path: "/usr/share/java/httpmime.jar",
            package: "libhttpmime-java",
        },
        Need::File {
            path: "/usr/share/java/httpclient5.jar",
            package: "libhttpclient5-java",
        },
    ],
};

/// What the Java client that openapi-generator generates needs besides the libraries in the generator's own archive.
pub const GENERATED_CLIENTS: Part = Part {
    needs: &[Need::File {
        path: "/usr/share/java/geronimo-annotation-1.3-spec.jar",
        package: "libgeronimo-annotation-1.3-spec-java",
    }],
};

pub const GO: Part = Part {
    needs: &[Need::Program {
        name: "go",
        package: "golang-go",
    }],
};

/// PHP with its own curl functions, and Guzzle.
pub const PHP_CLIENTS: Part = Part {
    needs: &[
        Need::Program {
            name: "php",
            package: "php-cli",
        },
        Need::PhpExtension {
            name: "curl",
            package: "php-curl",
        },
        Need::File {
            path: "/usr/share/php/GuzzleHttp/autoload.php",
            package: "php-guzzlehttp-guzzle",
        },
    ],
};

pub const RUBY: Part = Part {
    needs: &[Need::Program {
        name: "ruby",
        package: "ruby",
    }],
};

/// Mono with `System.Net.Http`, and its compiler.
pub const MONO: Part = Part {
    needs: &[
        Need::Program {
            name: "mcs",
            package: "mono-mcs",
        },
        Need::Program {
            name: "mono",
            package: "mono-runtime",
        },
        Need::File {
            path: "/usr/lib/mono/4.5/System.Net.Http.dll",
            package: "libmono-system-net-http4.0-cil",
        },
    ],
};
