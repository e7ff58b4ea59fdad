"""Webhooks: the published example, and one that a running installation sent."""

import json
import os
import unittest
from pathlib import Path

from firmeza import WebhookVerificationError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
BODY = b'{"test": 2432232314}'
NOW = 1614265330
HEADERS = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(NOW),
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


class Webhooks(unittest.TestCase):
    def test_the_published_example_is_verified(self) -> None:
        expected = {"test": 2432232314}
        self.assertEqual(verify_webhook(BODY, HEADERS, SECRET, now=NOW), expected)
        capitals = {name.upper(): value for name, value in HEADERS.items()}
        self.assertEqual(verify_webhook(BODY, capitals, [OTHER, SECRET], now=NOW), expected)
        rotated = HEADERS | {"webhook-signature": f"v1,AAAA v2,x {HEADERS['webhook-signature']}"}
        self.assertEqual(verify_webhook(BODY, rotated, SECRET, now=NOW), expected)
        self.assertEqual(verify_webhook(BODY, HEADERS, SECRET, now=NOW + 300), expected)

    def test_what_was_changed_is_old_or_lacks_a_header_is_refused(self) -> None:
        attempts: list[tuple[bytes, dict[str, str], str, int]] = [
            (BODY.replace(b"4}", b"5}"), HEADERS, SECRET, NOW),
            (BODY, HEADERS | {"webhook-id": "msg_other"}, SECRET, NOW),
            (BODY, HEADERS | {"webhook-timestamp": str(NOW + 1)}, SECRET, NOW),
            (BODY, HEADERS | {"webhook-timestamp": "soon"}, SECRET, NOW),
            (BODY, HEADERS | {"webhook-timestamp": "١٦١٤٢٦٥٣٣٠"}, SECRET, NOW),
            (BODY, HEADERS | {"webhook-signature": "v1,ñ v1a,AAAA"}, SECRET, NOW),
            (BODY, HEADERS | {"webhook-signature": ""}, SECRET, NOW),
            (BODY, {}, SECRET, NOW),
            (BODY, HEADERS, OTHER, NOW),
            (BODY, HEADERS, SECRET, NOW + 301),
            (BODY, HEADERS, SECRET, NOW - 301),
        ]
        for body, headers, secret, now in attempts:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, secret, now=now)
        with self.assertRaises(WebhookVerificationError, msg="the clock is used by default"):
            verify_webhook(BODY, HEADERS, SECRET)
        with self.assertRaises(ValueError):
            verify_webhook(BODY, HEADERS, "whsec_", now=NOW)

    def test_a_webhook_of_a_running_installation_is_verified(self) -> None:
        sent = json.loads(Path(os.environ["FIRMEZA_TEST_WEBHOOK"]).read_text())
        event = verify_webhook(sent["body"].encode(), sent["headers"], sent["secret"], now=sent["now"])
        assert event["type"] != "webhook.test"
        self.assertEqual(event["type"], "folio.created")
        self.assertEqual(event["data"]["folioData"]["state"], "2")
        self.assertEqual(event["data"]["event"], 1)
