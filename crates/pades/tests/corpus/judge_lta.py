"""Prints, for each signature of each file, `FILE passed` or `FILE` and pyHanko's outcome of long-term validation (ETSI EN
319 102-1, 5.6.3), as of the time in FIRMEZA_TEST_NOW or now. Asks no network: the file must hold all validation data.

With FIRMEZA_TEST_ARCHIVED the certificates of a file's newest timestamp count as not revoked: no file can tell what became of
them since. pyHanko's own `simulate_future_ades_lta_validation` assumes the same."""

import asyncio
import os
import sys
from datetime import datetime, timezone

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESPassed
from pyhanko.sign.validation.ades import ades_lta_validation
from pyhanko.sign.validation.policy_decl import (
    LocalKnowledge,
    PdfSignatureValidationSpec,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator.context import CertValidationPolicySpec, ValidationTimingInfo
from pyhanko_certvalidator.ltv import ades_past, poe
from pyhanko_certvalidator.policy_decl import (
    CertRevTrustPolicy,
    NonRevokedStatusAssertion,
    RevocationCheckingPolicy,
    RevocationCheckingRule,
)
from pyhanko_certvalidator.registry import SimpleTrustManager

REQUIRED = RevocationCheckingPolicy(
    ee_certificate_rule=RevocationCheckingRule.CRL_OR_OCSP_REQUIRED,
    intermediate_ca_cert_rule=RevocationCheckingRule.CRL_OR_OCSP_REQUIRED,
)


given = os.environ.get("FIRMEZA_TEST_NOW")
NOW = datetime.fromisoformat(given) if given else datetime.now(timezone.utc)


class Clock(datetime):
    """pyHanko asks the machine for the time in two places, whatever time it is told."""

    @classmethod
    def now(cls, tz=None):
        return NOW


ades_past.datetime = poe.datetime = Clock


def believed(reader):
    if "FIRMEZA_TEST_ARCHIVED" not in os.environ:
        return LocalKnowledge()
    newest = reader.embedded_timestamp_signatures[-1]
    certificates = [newest.signer_cert, *newest.other_embedded_certs]
    return LocalKnowledge(
        nonrevoked_assertions=[NonRevokedStatusAssertion(one.sha256, at=NOW) for one in certificates]
    )


def specification(root, reader):
    policy = CertValidationPolicySpec(
        trust_manager=SimpleTrustManager.build([root]),
        revinfo_policy=CertRevTrustPolicy(REQUIRED),
    )
    offline = RevocationInfoGatheringSpec(online_fetching_rule=RevinfoOnlineFetchingRule.LOCAL_ONLY)
    return PdfSignatureValidationSpec(
        SignatureValidationSpec(
            cert_validation_policy=policy,
            revinfo_gathering_policy=offline,
            local_knowledge=believed(reader),
        )
    )


def timing():
    return ValidationTimingInfo(
        validation_time=NOW, best_signature_time=NOW, point_in_time_validation=given is not None
    )


async def main(root, names):
    for name in names:
        with open(name, "rb") as file:
            reader = PdfFileReader(file)
            for signature in reader.embedded_regular_signatures:
                result = await ades_lta_validation(signature, specification(root, reader), timing())
                outcome = result.ades_subindic
                if outcome == AdESPassed.OK:
                    print(name, "passed")
                else:
                    print(name, outcome, result.failure_msg)


asyncio.run(main(load_cert_from_pemder(sys.argv[1]), sys.argv[2:]))
