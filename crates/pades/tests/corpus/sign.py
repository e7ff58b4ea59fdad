"""Signs PDFs in place with pyHanko. After key, certificate and root come words of the form KIND:FILE."""

import sys

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers

key, certificate, root = sys.argv[1:4]
signer = signers.SimpleSigner.load(key, certificate, ca_chain_files=(root,))


def sign(file, name, place=None, combined=True, **settings):
    with open(file, "rb+") as stream:
        writer = IncrementalPdfFileWriter(stream, strict=b"/XRefStm" not in stream.read())
        if writer.prev.encrypted:
            writer.encrypt("")
        if place:
            fields.append_signature_field(writer, fields.SigFieldSpec(name, box=place, combine_annotation=combined))
        metadata = {"md_algorithm": "sha256", "subfilter": fields.SigSeedSubFilter.PADES, **settings}
        metadata = signers.PdfSignatureMetadata(field_name=name, **metadata)
        signers.sign_pdf(writer, metadata, signer=signer, in_place=True)


KINDS = {
    "approval": {},
    "certified": {"certify": True, "docmdp_permissions": fields.MDPPerm.FILL_FORMS},
    "visible": {"place": (50, 50, 250, 100)},
    "separate": {"place": (50, 50, 250, 100), "combined": False},
    "pkcs7": {"subfilter": fields.SigSeedSubFilter.ADOBE_PKCS7_DETACHED},
    "sha512": {"md_algorithm": "sha512"},
    "twice": {},
}

for word in sys.argv[4:]:
    kind, file = word.split(":")
    sign(file, "Ajena", **KINDS[kind])
    if kind == "twice":
        sign(file, "Ajena2")
