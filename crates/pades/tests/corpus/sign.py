"""Signs FILE in place with pyHanko: KIND is approval, certified, visible, pkcs7 or twice."""

import sys

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers

kind, file, key, certificate, root = sys.argv[1:]
signer = signers.SimpleSigner.load(key, certificate, ca_chain_files=(root,))


def sign(name, **settings):
    with open(file, "rb+") as stream:
        writer = IncrementalPdfFileWriter(stream, strict=b"/XRefStm" not in stream.read())
        metadata = {"field_name": name, "md_algorithm": "sha256", "subfilter": fields.SigSeedSubFilter.PADES}
        place = settings.pop("place", None)
        if place:
            fields.append_signature_field(writer, fields.SigFieldSpec(name, box=place))
        metadata.update(settings)
        signers.sign_pdf(writer, signers.PdfSignatureMetadata(**metadata), signer=signer, in_place=True)


if kind == "approval":
    sign("Ajena")
elif kind == "certified":
    sign("Ajena", certify=True, docmdp_permissions=fields.MDPPerm.FILL_FORMS)
elif kind == "visible":
    sign("Ajena", place=(50, 50, 250, 100))
elif kind == "pkcs7":
    sign("Ajena", subfilter=fields.SigSeedSubFilter.ADOBE_PKCS7_DETACHED)
elif kind == "sha512":
    sign("Ajena", md_algorithm="sha512")
elif kind == "twice":
    sign("Ajena")
    sign("Ajena2")
