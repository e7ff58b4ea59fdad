"""Judges the signatures of a file offline, with proof required that no certificate of a path was revoked (`--force-revinfo`
of pyHanko's command): by the lists in the file alone. After root and file comes the time of judging. Prints `FIELD valid`, or
what pyHanko says instead."""

import logging
import sys
from datetime import datetime

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.dss import DocumentSecurityStore

logging.disable()
root = load_cert_from_pemder(sys.argv[1])
now = datetime.fromisoformat(sys.argv[3])


def with_lists(reader, signature):
    settings = {
        "trust_roots": [root],
        "allow_fetching": False,
        "revocation_mode": "require",
        "moment": now,
        "best_signature_time": now,
    }
    context = DocumentSecurityStore.read_dss(reader).as_validation_context(settings)
    if signature.sig_object.get("/Type") == "/DocTimeStamp":
        status = validate_pdf_timestamp(signature, context)
        return "valid" if status.intact and status.valid and status.trusted else status.summary()
    status = validate_pdf_signature(signature, context)
    return "valid" if status.bottom_line else status.summary()


with open(sys.argv[2], "rb") as file:
    reader = PdfFileReader(file)
    for signature in reader.embedded_signatures:
        print(signature.field_name, with_lists(reader, signature))
