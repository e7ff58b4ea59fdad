"""Prints the seconds of CPU that pyHanko takes to sign a file, or to judge every signature of one.

sign KEY CERTIFICATE ROOT FILE TIMES, or judge ROOT FILE TIMES
"""

import io
import sys
import time

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko_certvalidator import ValidationContext


def sign(key, certificate, root, content):
    signer = signers.SimpleSigner.load(key, certificate, ca_chain_files=(root,))
    metadata = signers.PdfSignatureMetadata(
        field_name="Firma", md_algorithm="sha256", subfilter=fields.SigSeedSubFilter.PADES
    )
    signers.sign_pdf(IncrementalPdfFileWriter(io.BytesIO(content)), metadata, signer=signer)


def judge(root, content):
    for signature in PdfFileReader(io.BytesIO(content)).embedded_signatures:
        context = ValidationContext(trust_roots=[load_cert_from_pemder(root)], allow_fetching=False)
        if signature.sig_object.get("/Type") == "/DocTimeStamp":
            status = validate_pdf_timestamp(signature, context)
            assert status.intact and status.valid and status.trusted, status.summary()
        else:
            assert validate_pdf_signature(signature, context).bottom_line


act = {"sign": sign, "judge": judge}[sys.argv[1]]
*names, file, times = sys.argv[2:]
with open(file, "rb") as stream:
    content = stream.read()
act(*names, content)
start = time.process_time()
for _ in range(int(times)):
    act(*names, content)
print((time.process_time() - start) / int(times))
