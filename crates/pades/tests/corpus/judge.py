"""Prints, for each signature of each file, `FILE valid` or `FILE` and what pyHanko holds against it;
`FILE unread` and why, if it cannot read the file."""

import sys

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko_certvalidator import ValidationContext

root = load_cert_from_pemder(sys.argv[1])


def verdict(signature):
    context = ValidationContext(trust_roots=[root], allow_fetching=False)
    if signature.sig_object.get("/Type") == "/DocTimeStamp":
        status = validate_pdf_timestamp(signature, context)
        return "valid" if status.intact and status.valid and status.trusted else status.summary()
    status = validate_pdf_signature(signature, context)
    return "valid" if status.bottom_line else status.summary()


def verdicts(file, strict):
    return [verdict(signature) for signature in PdfFileReader(file, strict=strict).embedded_signatures]


for name in sys.argv[2:]:
    with open(name, "rb") as file:
        try:
            try:
                found = verdicts(file, strict=True)
            except Exception:
                # Its strict mode reads no file with two kinds of cross-references, and not every odd one.
                found = verdicts(file, strict=False)
            for line in found:
                print(name, line)
        except Exception as error:
            print(name, "unread", type(error).__name__, error)
