"""Every operation against an installation that runs."""

import json
import os
import threading
import unittest
import uuid
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from firmeza import Evidence, Firmeza, FirmezaError

from .support import API_KEY, BASE64, MARIA, PDF, UNKNOWN, URL, URL_RETURN, create, firmeza, sign


class Operations(unittest.TestCase):
    def refused(self, status: int, message: str, attempt: Callable[[], object]) -> FirmezaError:
        with self.assertRaises(FirmezaError) as raised:
            attempt()
        self.assertEqual(raised.exception.status, status, raised.exception)
        self.assertIn(message, raised.exception.message)
        return raised.exception

    def test_a_folio_of_files_is_created_signed_downloaded_and_proved(self) -> None:
        folio_id = create(files=["año uno.pdf", 'a"\r\nb.pdf'])
        pending = firmeza.read(folio_id)
        self.assertEqual(pending["folioData"]["state"], "2")
        self.assertEqual(pending["folioData"]["name"], "Contrato «Ñandú» ✍")
        names = [document["name"] for document in pending["documents"]]
        self.assertEqual(names, ["año uno.pdf", "a%22%0D%0Ab.pdf"], "as browsers send them")
        for document in pending["documents"]:
            self.assertEqual(firmeza.download(document["documentId"]), PDF)

        sign(folio_id, MARIA["documentNumber"])
        signed = firmeza.read(folio_id)
        self.assertEqual((signed["folioData"]["state"], signed["folioData"]["stateName"]), ("1", "FIRMADO"))
        self.assertEqual(signed["signers"][0]["folioState"], "1")
        pdf = firmeza.download(signed["documents"][0]["documentId"])
        self.assertGreater(len(pdf), len(PDF))

        file = firmeza.evidence(folio_id)
        evidence: Evidence = json.loads(file)
        self.assertRegex(evidence["seal"]["sha256"], "^[0-9a-f]{64}$")
        self.assertTrue(firmeza.evidence_report(folio_id, part=1).startswith(b"%PDF-"))
        # The test of `cli` that runs this program verifies these.
        output = Path(os.environ["FIRMEZA_TEST_OUTPUT"])
        (output / "evidence.json").write_bytes(file)
        (output / "signed.pdf").write_bytes(pdf)

    def test_documents_are_either_files_or_base64(self) -> None:
        for documents in ({}, {"files": True, "base64": True}):
            with self.assertRaises(TypeError):
                firmeza.create(
                    signers=[MARIA],
                    folio_name="x",
                    folio_message="x",
                    signature_type="1",
                    url_return=URL_RETURN,
                    send_email=False,
                    documents=[{"name": "a.pdf", "content": PDF}] if documents else None,
                    documents_base64=[{"name": "a.pdf", "content": BASE64}] if documents else None,
                )

    def test_several_folios_are_read_at_once_each_on_its_own(self) -> None:
        folio_id = create()
        found, missing = firmeza.read_several([folio_id, UNKNOWN])
        assert found["data"] is not None
        self.assertEqual(found["data"]["folioData"]["folioId"], folio_id)
        self.assertEqual((missing["success"], missing["status"], missing["data"]), (False, 404, None))

    def test_emails_are_sent_again_to_a_corrected_address(self) -> None:
        folio_id = create()
        message = firmeza.resend(
            folio_id, [{"documentNumber": MARIA["documentNumber"], "email": "otra@example.com"}], URL_RETURN
        )
        self.assertNotEqual(message, "")
        signer = firmeza.read(folio_id)["signers"][0]
        self.assertEqual(signer["email"], "otra@example.com")
        self.assertEqual(signer["cellPhoneNumber"], MARIA["cellPhoneNumber"])

    def test_folios_are_cancelled_each_on_its_own(self) -> None:
        folio_id = create()
        summary = firmeza.cancel([folio_id, UNKNOWN], "El contrato tiene un error.")
        self.assertEqual((summary["cancelledFolios"], summary["failedFolios"]), (1, 1))
        details = [(detail["folioId"], detail["status"]) for detail in summary["details"]]
        self.assertEqual(details, [(folio_id, "CANCELLED"), (UNKNOWN, "FAILED")])
        self.assertEqual(firmeza.read(folio_id)["folioData"]["state"], "6")

    def test_a_bulk_signature_is_started_and_read(self) -> None:
        folio_ids = [create(), create()]
        bulk = firmeza.start_bulk(folio_ids, MARIA, URL_RETURN)
        self.assertIn("msv", parse_qs(urlsplit(bulk["signProcessMassiveUrl"]).query))
        read = [folio["folioData"]["folioId"] for folio in firmeza.read_bulk(bulk["massiveId"])]
        self.assertEqual(read, folio_ids)

    def test_a_create_that_is_repeated_with_its_key_happens_once(self) -> None:
        key = str(uuid.uuid4())
        first = create(files=["contrato.pdf"], key=key)
        self.assertEqual(create(files=["contrato.pdf"], key=key), first)
        self.refused(409, "Idempotency-Key", lambda: create(name="Otro", files=["contrato.pdf"], key=key))

    def test_errors_of_either_form_are_of_one_class(self) -> None:
        faulty = self.refused(400, "folioName", lambda: create(name=""))
        self.assertEqual(faulty.errors[0]["field"], "folioName")
        self.assertTrue(faulty.request_id)
        self.refused(404, "no existe", lambda: firmeza.download(UNKNOWN))
        self.refused(403, "Acceso denegado", lambda: Firmeza(URL, "firmeza_no").read(UNKNOWN))
        self.refused(400, "", lambda: firmeza.evidence("x", part=2))

    def test_an_answer_that_is_not_the_services_is_an_error_too_and_a_redirect_is_not_followed(self) -> None:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                if "redirect" in self.path:
                    self.send_response(302)
                    self.send_header("location", "/elsewhere")
                else:
                    self.send_response(503)
                    self.send_header("retry-after", "7")
                    self.send_header("x-request-id", "abc")
                self.end_headers()
                self.wfile.write(b"<h1>busy</h1>")

            def log_message(self, format: str, *args: object) -> None:
                pass

        with HTTPServer(("127.0.0.1", 0), Handler) as server:
            serving = threading.Thread(target=server.serve_forever)
            serving.start()
            try:
                other = Firmeza(f"http://127.0.0.1:{server.server_port}", API_KEY)
                busy = self.refused(503, "HTTP 503", lambda: other.read("busy"))
                self.assertEqual((busy.retry_after, busy.request_id, busy.errors), (7, "abc", []))
                self.refused(302, "HTTP 302", lambda: other.read("redirect"))
            finally:
                server.shutdown()
                serving.join()
        self.assertEqual(len(asked), 2, "nothing was asked elsewhere")
