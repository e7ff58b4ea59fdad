"""Prints, for each signature of each file, `FILE valid` or `FILE` and what pyHanko holds against it; `FILE unread` and
why, if it cannot read the upload; `FILE broken` and why, if it reads the upload and not what was signed. After the root
come words of the form FILE or FILE@LENGTH, with the length of the upload that was signed; without it, the upload is what
comes before the first signature's revision.

pyHanko's strict mode judges. Only if that mode does not read the upload itself, for instance one with two kinds of
cross-references, its lenient mode does, and `FILE lenient` is printed as well."""

import io
import re
import sys

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.generic import IndirectObject
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


def opened(data, strict):
    reader = PdfFileReader(io.BytesIO(data), strict=strict)
    if reader.encrypted:
        reader.decrypt("")
    return reader


def verdicts(data, strict):
    return [verdict(signature) for signature in opened(data, strict).embedded_signatures]


def readable(upload, strict):
    """Whether a mode reads the upload and every object that its catalog and its information lead to. Strict mode is not
    held to uploads with two kinds of cross-references."""
    try:
        reader = opened(upload, strict)
        if strict and reader.xrefs.hybrid_xrefs_present:
            return False
        pending, seen = [reader.root], set()
        trailer = reader.trailer_view
        if "/Info" in trailer:
            pending.append(trailer.raw_get("/Info"))
        while pending:
            value = pending.pop()
            if isinstance(value, IndirectObject):
                if value.reference not in seen:
                    seen.add(value.reference)
                    pending.append(value.get_object())
            elif isinstance(value, dict):
                pending.extend(value.raw_get(key) for key in value)
            elif isinstance(value, list):
                pending.extend(value.raw_get(at) for at in range(len(value)))
        return True
    except Exception:
        return False


def judged(data, upload):
    """What is said of a file, line by line."""
    try:
        return verdicts(data, strict=True)
    except Exception as error:
        if readable(upload, strict=True):
            return [f"broken {type(error).__name__} {error}"]
    try:
        return ["lenient", *verdicts(data, strict=False)]
    except Exception as error:
        kind = "broken" if readable(upload, strict=False) else "unread"
        return [f"{kind} {type(error).__name__} {error}"]


for word in sys.argv[2:]:
    name, _, length = word.partition("@")
    with open(name, "rb") as file:
        data = file.read()
    ends = re.finditer(rb"startxref\s+\d+(\s*%%EOF)?", data[: data.index(b"/ByteRange")])
    upload = data[: int(length) if length else list(ends)[-1].end()]
    for line in judged(data, upload):
        print(name, line)
