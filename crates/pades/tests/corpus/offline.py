"""Judges the signatures of a file offline, with proof required that no certificate of a path was revoked (`--force-revinfo`
of pyHanko's command): by the lists in the file alone. After root and file come the time of judging and, for the check of
archived signatures after the lists have ended, the word `archived`. Prints `FIELD valid`, or what pyHanko says instead."""

import asyncio
import logging
import sys
from datetime import datetime

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.ades import ades_lta_validation
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.policy_decl import (
    PdfSignatureValidationSpec,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator.authority import CertTrustAnchor
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.ltv.types import ValidationTimingInfo
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, RevocationCheckingPolicy, RevocationCheckingRule
from pyhanko_certvalidator.registry import SimpleTrustManager

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


def archived(signature):
    require = CertRevTrustPolicy(RevocationCheckingPolicy.from_legacy("require"))
    # No file can tell whether its newest timestamp's own certificate was revoked since: that one is believed.
    believe = CertRevTrustPolicy(RevocationCheckingPolicy(*[RevocationCheckingRule.NO_CHECK] * 2))
    roots = SimpleTrustManager.build([root])
    gathering = RevocationInfoGatheringSpec(RevinfoOnlineFetchingRule.LOCAL_ONLY)
    signers, clocks = CertValidationPolicySpec(roots, require), CertValidationPolicySpec(roots, believe)
    spec = PdfSignatureValidationSpec(SignatureValidationSpec(signers, gathering, clocks))
    timing = ValidationTimingInfo(now, now, point_in_time_validation=True)
    result = asyncio.run(ades_lta_validation(signature, spec, timing))
    return "valid" if result.ades_subindic.name == "OK" else str(result.ades_subindic) + " " + str(result.failure_msg)


with open(sys.argv[2], "rb") as file:
    reader = PdfFileReader(file)
    for signature in reader.embedded_signatures:
        if sys.argv[4:] == ["archived"]:
            if signature.sig_object.get("/Type") != "/DocTimeStamp":
                print(signature.field_name, archived(signature))
        else:
            print(signature.field_name, with_lists(reader, signature))
