//! Programs that tests ask for a second opinion: they run to their end and need no start.

use crate::Part;
use crate::packages::Need;

/// What judges PDF files, certificates and timestamps; pyHanko is the one in a Python environment.
pub const PDF_VALIDATORS: Part = Part {
    needs: &[
        Need::Program {
            name: "qpdf",
            package: "qpdf",
        },
        Need::Program {
            name: "pdfsig",
            package: "poppler-utils",
        },
        Need::Program {
            name: "openssl",
            package: "openssl",
        },
        Need::Program {
            name: "jq",
            package: "jq",
        },
        Need::Program {
            name: "xxd",
            package: "xxd",
        },
        // Lets a program believe that it runs five years from now.
        Need::Program {
            name: "faketime",
            package: "faketime",
        },
    ],
};

/// Another program that signs PDF files: `PDFBox`, with the cryptography of Bouncy Castle. Java runs it from its source
/// file.
pub const PDFBOX: Part = Part {
    needs: &[
        Need::Program {
            name: "javac",
            package: "openjdk-17-jdk-headless",
        },
        Need::File {
            path: "/usr/share/java/pdfbox2.jar",
            package: "libpdfbox2-java",
        },
        Need::File {
            path: "/usr/share/java/bcpkix.jar",
            package: "libbcpkix-java",
        },
    ],
};

/// What draws the pages of PDF files; `PDFium` is in a Python environment, and pdf.js among npm's packages.
pub const PDF_RENDERERS: Part = Part {
    needs: &[
        Need::Program {
            name: "pdftoppm",
            package: "poppler-utils",
        },
        Need::Program {
            name: "mutool",
            package: "mupdf-tools",
        },
        Need::Program {
            name: "gs",
            package: "ghostscript",
        },
    ],
};

/// A PKCS#11 token in software, and a tool of others that makes keys in it.
pub const SOFTHSM: Part = Part {
    needs: &[
        Need::Program {
            name: "softhsm2-util",
            package: "softhsm2",
        },
        Need::Program {
            name: "pkcs11-tool",
            package: "opensc",
        },
    ],
};
