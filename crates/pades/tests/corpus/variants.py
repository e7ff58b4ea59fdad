"""Signs documents with pyHanko in all its variants, and prints pyHanko's own verdict on each signature: a line
`FILE FIELD valid|indeterminate|invalid INDICATION`. Arguments: the documents to sign."""

import asyncio
import datetime
import itertools
import sys
from io import BytesIO

from asn1crypto import keys
from asn1crypto import x509 as asn1_x509
from asn1crypto.crl import CertificateList
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.generic import pdf_name
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers, timestamps
from pyhanko.sign.ades.report import AdESPassed
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.validation import ades, validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.policy_decl import (
    LocalKnowledge,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.policy_decl import REQUIRE_REVINFO, CertRevTrustPolicy
from pyhanko_certvalidator.revinfo.archival import CRLContainer
from pyhanko_certvalidator.registry import SimpleCertificateStore, SimpleTrustManager

NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
DAY = datetime.timedelta(days=1)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Authority:
    """A root that issues certificates and a revocation list."""

    def __init__(self, text):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = name(text)
        self.certificate = self.issue(self.key.public_key(), text, authority=True)

    def issue(self, public, text, authority=False, purpose=None, since=30 * DAY, until=3000 * DAY):
        builder = (
            x509.CertificateBuilder()
            .subject_name(name(text))
            .issuer_name(self.name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW - since)
            .not_valid_after(NOW + until)
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False
            )
            .add_extension(
                x509.KeyUsage(
                    digital_signature=not authority,
                    content_commitment=not authority and purpose is None,
                    key_encipherment=False,
                    data_encipherment=False,
                    key_agreement=False,
                    key_cert_sign=authority,
                    crl_sign=authority,
                    encipher_only=False,
                    decipher_only=False,
                ),
                critical=True,
            )
        )
        if purpose:
            builder = builder.add_extension(x509.ExtendedKeyUsage([purpose]), critical=True)
        return builder.sign(self.key, hashes.SHA256())

    def revocation_list(self):
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.name)
            .last_update(NOW - DAY)
            .next_update(NOW + 1000 * DAY)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False
            )
            .add_extension(x509.CRLNumber(1), critical=False)
        )
        return builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def certificate(found):
    return asn1_x509.Certificate.load(found.public_bytes(serialization.Encoding.DER))


def private(key):
    encoded = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return keys.PrivateKeyInfo.load(encoded)


ROOT = Authority("Raíz")
STRANGER = Authority("Raíz ajena")
CRL = ROOT.revocation_list()


def store(*found):
    registry = SimpleCertificateStore()
    registry.register_multiple([certificate(one) for one in found])
    return registry


def signer_of(key, text, authority=ROOT, pss=False, **validity):
    return signers.SimpleSigner(
        signing_cert=certificate(authority.issue(key.public_key(), text, **validity)),
        signing_key=private(key),
        cert_registry=store(authority.certificate),
        prefer_pss=pss,
    )


RSA_KEY = rsa.generate_private_key(65537, 2048)
SIGNERS = {
    "rsa": signer_of(RSA_KEY, "Ana RSA"),
    "pss": signer_of(RSA_KEY, "Ana PSS", pss=True),
    "p256": signer_of(ec.generate_private_key(ec.SECP256R1()), "Ana P-256"),
    "p384": signer_of(ec.generate_private_key(ec.SECP384R1()), "Ana P-384"),
}
# Rarer keys, each with its digests. The last one is not known to our verifier.
RARE = {
    "p521": (ec.generate_private_key(ec.SECP521R1()), ("sha512", "sha256", "sha3_512")),
    "brainpool256": (ec.generate_private_key(ec.BrainpoolP256R1()), ("sha256", "sha3_256")),
    "brainpool384": (ec.generate_private_key(ec.BrainpoolP384R1()), ("sha384", "sha3_384")),
    "ed25519": (ed25519.Ed25519PrivateKey.generate(), ("sha512",)),
    "brainpool512": (ec.generate_private_key(ec.BrainpoolP512R1()), ("sha512",)),
    "ed448": (ed448.Ed448PrivateKey.generate(), ("shake256",)),
}
STRANGE = signer_of(ec.generate_private_key(ec.SECP256R1()), "Extraña", STRANGER)
EXPIRED = signer_of(
    ec.generate_private_key(ec.SECP256R1()), "Vencida", since=30 * DAY, until=datetime.timedelta(days=-1)
)
# pyHanko's own timestamper signs with RSA only.
TSA_KEY = rsa.generate_private_key(65537, 2048)
STAMPER = timestamps.DummyTimeStamper(
    certificate(ROOT.issue(TSA_KEY.public_key(), "Reloj", purpose=ExtendedKeyUsageOID.TIME_STAMPING)),
    private(TSA_KEY),
    store(ROOT.certificate),
)


def context():
    return ValidationContext(
        trust_roots=[certificate(ROOT.certificate)], crls=[CRL], allow_fetching=False, retroactive_revinfo=True
    )


LEVELS = {
    "pkcs7": {"subfilter": SigSeedSubFilter.ADOBE_PKCS7_DETACHED},
    "b": {"subfilter": SigSeedSubFilter.PADES},
    "t": {"subfilter": SigSeedSubFilter.PADES, "stamped": True},
    "lt": {"subfilter": SigSeedSubFilter.PADES, "stamped": True, "embed_validation_info": True},
    "lta": {
        "subfilter": SigSeedSubFilter.PADES,
        "stamped": True,
        "embed_validation_info": True,
        "use_pades_lta": True,
    },
}
PURPOSES = {
    "approval": {},
    "certified1": {"certify": True, "docmdp_permissions": MDPPerm.NO_CHANGES},
    "certified2": {"certify": True, "docmdp_permissions": MDPPerm.FILL_FORMS},
    "certified3": {"certify": True, "docmdp_permissions": MDPPerm.ANNOTATE},
}
PLACES = {
    "invisible": None,
    "visible": SigFieldSpec("Firma", box=(50, 50, 250, 100)),
    "separate": SigFieldSpec("Firma", box=(50, 50, 250, 100), combine_annotation=False),
    "last": SigFieldSpec("Firma", box=(50, 50, 250, 100), on_page=-1),
}


def sign(document, signer, field="Firma", place=None, stamped=False, **settings):
    out = BytesIO(document)
    writer = IncrementalPdfFileWriter(out)
    if place:
        fields.append_signature_field(writer, place)
    if settings.get("embed_validation_info"):
        settings["validation_context"] = context()
    metadata = signers.PdfSignatureMetadata(field_name=field, **{"md_algorithm": "sha256", **settings})
    signers.sign_pdf(
        writer, metadata, signer=signer, timestamper=STAMPER if stamped else None, in_place=True
    )
    return out.getvalue()


def update(change):
    """An incremental update after the signature."""

    def apply(document):
        out = BytesIO(document)
        writer = IncrementalPdfFileWriter(out)
        change(writer)
        writer.write_in_place()
        return out.getvalue()

    return apply


def page_of(writer):
    return writer.find_page_for_modification(0)[0].get_object()


def add_note(writer):
    page = page_of(writer)
    note = writer.add_object(
        generic.DictionaryObject(
            {
                pdf_name("/Type"): pdf_name("/Annot"),
                pdf_name("/Subtype"): pdf_name("/Text"),
                pdf_name("/Contents"): generic.pdf_string("nota"),
                pdf_name("/Rect"): generic.ArrayObject(map(generic.NumberObject, (9, 9, 29, 29))),
            }
        )
    )
    page.setdefault(pdf_name("/Annots"), generic.ArrayObject()).append(note)
    writer.update_container(page)


def other_content(writer):
    page = page_of(writer)
    page["/Contents"] = writer.add_object(generic.StreamObject(stream_data=b"0 0 99 99 re f"))
    writer.update_container(page)


def other_catalog(writer):
    writer.root["/PageMode"] = pdf_name("/FullScreen")
    writer.update_root()


def information(writer):
    writer.set_info(writer.add_object(generic.DictionaryObject({pdf_name("/Title"): generic.pdf_string("x")})))


def empty_field(writer):
    fields.append_signature_field(writer, SigFieldSpec("Vacía"))


def visible_field(writer):
    fields.append_signature_field(writer, SigFieldSpec("Vacía", box=(300, 50, 400, 100)))


def second(**settings):
    return lambda document: sign(
        document, SIGNERS["p256"], "Segunda", subfilter=SigSeedSubFilter.PADES, **settings
    )


def second_visible(document):
    place = SigFieldSpec("Segunda", box=(300, 50, 400, 100))
    return sign(document, SIGNERS["rsa"], "Segunda", place, subfilter=SigSeedSubFilter.PADES)


def stamped(document):
    out = BytesIO(document)
    signers.PdfTimeStamper(STAMPER, field_name="Tiempo").timestamp_pdf(
        IncrementalPdfFileWriter(out), "sha256", in_place=True
    )
    return out.getvalue()


def replaced(old, new):
    def apply(document):
        assert old in document
        return document.replace(old, new, 1)

    return apply


def last_digit(document):
    """Another digit inside the signature itself."""
    at = document.rindex(b"/Contents <") + 400
    return document[:at] + (b"1" if document[at : at + 1] != b"1" else b"2") + document[at + 1 :]


UPDATES = {
    "none": lambda document: document,
    "second": second(),
    "second-visible": second_visible,
    "second-lta": second(stamped=True, embed_validation_info=True, use_pades_lta=True),
    "stamped": stamped,
    "empty-field": update(empty_field),
    "visible-field": update(visible_field),
    "note": update(add_note),
    "content": update(other_content),
    "catalog": update(other_catalog),
    "information": update(information),
    "tampered-text": replaced(b"Contrato", b"Contrata"),
    "tampered-signature": last_digit,
    "loose-bytes": lambda document: document + b"% otra cosa\n",
    "shortened": lambda document: document[:-20],
}


def variants():
    """Pairs of a name and a function that signs a document."""
    strong = {"rsa": "sha256", "pss": "sha512", "p256": "sha256", "p384": "sha384"}
    for level, key in itertools.product(LEVELS, SIGNERS):
        for place, purpose in (
            ("invisible", "approval"),
            ("visible", "certified2"),
            ("separate", "approval"),
            ("last", "certified3"),
        ):
            yield f"{level}-{key}-{place}-{purpose}", SIGNERS[key], PLACES[place], {
                **LEVELS[level],
                **PURPOSES[purpose],
                "md_algorithm": strong[key],
            }, "none"
    for change, purpose, level in itertools.product(UPDATES, PURPOSES, ("pkcs7", "b", "t", "lt")):
        # pyHanko itself does not sign after a certification without changes.
        if purpose == "certified1" and change.startswith("second"):
            continue
        yield f"{change}-{purpose}-{level}", SIGNERS["p256"], None, {
            **LEVELS[level],
            **PURPOSES[purpose],
        }, change
    for signer, text in ((STRANGE, "strange"), (EXPIRED, "expired")):
        for change in ("none", "second", "second-visible", "stamped", "tampered-text"):
            yield f"{text}-{change}", signer, None, LEVELS["b"], change
    for digest in ("sha1", "sha384", "sha512"):
        yield f"{digest}", SIGNERS["rsa"], None, {**LEVELS["b"], "md_algorithm": digest}, "none"
    for key in ("p256", "pss"):
        yield f"rare-{key}", SIGNERS[key], None, {**LEVELS["b"], "md_algorithm": "sha3_256"}, "none"
    for name, (key, digests) in RARE.items():
        # pyHanko's timestamper does not know SHAKE256.
        levels = ("b",) if "shake256" in digests else ("b", "lta")
        for digest, level in itertools.product(digests, levels):
            settings = {**LEVELS[level], "md_algorithm": digest}
            yield f"rare-{name}-{digest}-{level}", signer_of(key, name), None, settings, "none"


def specification():
    policy = CertValidationPolicySpec(
        trust_manager=SimpleTrustManager.build([certificate(ROOT.certificate)]),
        revinfo_policy=CertRevTrustPolicy(REQUIRE_REVINFO),
    )
    offline = RevocationInfoGatheringSpec(online_fetching_rule=RevinfoOnlineFetchingRule.LOCAL_ONLY)
    known = LocalKnowledge(known_crls=[CRLContainer(CertificateList.load(CRL))])
    return SignatureValidationSpec(
        cert_validation_policy=policy, revinfo_gathering_policy=offline, local_knowledge=known
    )


def verdict(signature):
    trust = context()
    if signature.sig_object.get("/Type") == "/DocTimeStamp":
        status = validate_pdf_timestamp(signature, trust)
        passed = status.intact and status.valid and status.trusted
    else:
        status = validate_pdf_signature(signature, trust, ts_validation_context=trust)
        passed = status.bottom_line
    if passed:
        return "valid"
    sound = status.intact and status.valid and getattr(status, "docmdp_ok", None) is not False
    level = getattr(status, "modification_level", None)
    unchanged = level is None or level.name != "OTHER"
    return "indeterminate" if sound and unchanged and not status.trusted else "invalid"


async def indication(signature):
    if signature.sig_object.get("/Type") == "/DocTimeStamp":
        return "-"
    try:
        result = await ades.ades_basic_validation(
            signature.signed_data, specification(), raw_digest=signature.compute_digest()
        )
    except Exception as error:
        return type(error).__name__
    return "PASSED" if result.ades_subindic == AdESPassed.OK else result.ades_subindic.name


def main():
    with open("root.pem", "wb") as file:
        file.write(ROOT.certificate.public_bytes(serialization.Encoding.PEM))
    with open("root.crl", "wb") as file:
        file.write(CRL)
    documents = []
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            documents.append((path.removesuffix(".pdf"), file.read()))
    for at, (text, signer, place, settings, change) in enumerate(variants()):
        # The documents take turns; those that differ only in the document are not made.
        base, document = documents[at % len(documents)]
        signed = UPDATES[change](sign(document, signer, place=place, **settings))
        file = f"{text}-{base}.pdf"
        with open(file, "wb") as out:
            out.write(signed)
        try:
            for signature in PdfFileReader(BytesIO(signed)).embedded_signatures:
                try:
                    words = verdict(signature), asyncio.run(indication(signature))
                except Exception as error:
                    words = "invalid", type(error).__name__
                print(file, signature.field_name, *words)
        except Exception as error:
            print(file, "-", "invalid", type(error).__name__)


main()
