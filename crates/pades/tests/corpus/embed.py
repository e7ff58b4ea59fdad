"""Signs a PDF in place with pyHanko and embeds the OCSP response of `response.der`, in Adobe's attribute or the DSS."""

import sys

from asn1crypto import ocsp
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers
from pyhanko_certvalidator import ValidationContext

kind, file = sys.argv[1:3]
signer = signers.SimpleSigner.load("ana.key", "ana.pem", ca_chain_files=("ca.pem",))
with open("response.der", "rb") as response:
    response = ocsp.OCSPResponse.load(response.read())
context = ValidationContext(
    trust_roots=[load_cert_from_pemder("ca.pem")],
    ocsps=[response],
    allow_fetching=False,
    revocation_mode="soft-fail",
)
formats = {"adobe": fields.SigSeedSubFilter.ADOBE_PKCS7_DETACHED, "pades": fields.SigSeedSubFilter.PADES}
metadata = signers.PdfSignatureMetadata(
    field_name="Ajena",
    md_algorithm="sha256",
    subfilter=formats[kind],
    embed_validation_info=True,
    validation_context=context,
)
with open(file, "rb+") as stream:
    signers.sign_pdf(IncrementalPdfFileWriter(stream), metadata, signer=signer, in_place=True)
