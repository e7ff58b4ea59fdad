"""A thin client for the API of Firmeza. It needs Python 3.11 or later and nothing else.

A response of the service that is not a success is raised as a ``FirmezaError``. What ``urllib`` raises (no connection, no
answer in time) passes through unchanged. Nothing is tried again by itself: see ``idempotency_key``.

Values of the API keep the names that they have there (``folioId``); arguments have names of Python (``folio_id``).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from email.message import Message
from typing import IO, Any, Literal, NotRequired, TypedDict, cast

__all__ = [
    "Base64Document",
    "CancelDetail",
    "CancelSummary",
    "CreatedFolio",
    "Document",
    "DocumentId",
    "DocumentType",
    "Evidence",
    "EvidenceSeal",
    "Fault",
    "FileDocument",
    "Firmeza",
    "FirmezaError",
    "FolioData",
    "FolioDetail",
    "FolioEntry",
    "FolioEvent",
    "FolioEventData",
    "FolioEventType",
    "FolioId",
    "FolioState",
    "Language",
    "MassiveId",
    "SignatureType",
    "Signer",
    "SignerCorrection",
    "SignerInput",
    "SignerState",
    "StartedBulk",
    "TestEvent",
    "TestEventData",
    "WebhookEvent",
    "WebhookVerificationError",
    "verify_webhook",
]

FolioState = Literal["1", "2", "3", "4", "5", "6"]
"""State of a folio:

- ``"1"`` FIRMADO: every signer has signed
- ``"2"`` PENDIENTE: signatures are missing
- ``"3"`` RECHAZADO FIRMANTE: a signer rejected it
- ``"4"`` FIRMADO Y APROBADO: a supervisor approved the signed folio
- ``"5"`` RECHAZADO GESTIÓN / ADMINISTRADOR: the company rejected the signed folio
- ``"6"`` ANULADO: the company cancelled it
"""

SignerState = Literal["1", "2", "3"]
"""State of a signer:

- ``"1"`` FIRMADO: has signed
- ``"2"`` PENDIENTE: has neither signed nor rejected
- ``"3"`` RECHAZADO FIRMANTE: rejected the folio
"""

Language = Literal["es", "en", "pt"]
"""Spanish, English or Portuguese."""

SignatureType = Literal["1", "2"]
"""How signers receive their one-time code: ``"1"`` OTP Básico, by email; ``"2"`` OTP Móvil Verificado, by SMS."""

DocumentType = Literal["CC", "CE", "NIT", "TI"]
"""Kind of identity document: ``CC`` citizen's card, ``CE`` foreigner's card, ``NIT`` tax number, ``TI`` minor's card."""

FolioId = str
"""32 lowercase hexadecimal characters."""
DocumentId = str
"""32 lowercase hexadecimal characters."""
MassiveId = str
"""32 lowercase hexadecimal characters."""


class FolioData(TypedDict):
    folioId: FolioId
    name: str
    message: str
    """Shown to the signers."""
    observation: str | None
    """Remarks, such as the reason of a cancellation or a rejection."""
    dateCreate: str
    """``YYYY-MM-DD HH:MM:SS``, in the installation's time zone."""
    dateLastUpdate: str | None
    """``YYYY-MM-DD HH:MM:SS``."""
    state: FolioState
    stateName: str
    """The state in words, such as ``PENDIENTE``."""
    flag_drop: Literal["0", "1"]
    """``"1"``: an administrator dropped the folio. It can be read; its documents cannot be downloaded."""
    signatureType: SignatureType
    signatureTypeName: str


class Document(TypedDict):
    documentId: DocumentId
    name: str
    """The file name."""
    dateCreate: str
    """``YYYY-MM-DD HH:MM:SS``."""


class Signer(TypedDict):
    name: str
    documentType: DocumentType
    documentNumber: str
    """Identifies the signer within the folio."""
    email: str
    cellPhoneNumber: str
    folioState: SignerState
    folioStateName: str
    """The state in words, such as ``PENDIENTE``."""
    ipSignatureAddress: str | None
    """The IP address of the signature; ``None`` before it."""
    dateLastUpdate: str | None
    """When the signer last acted, ``YYYY-MM-DD HH:MM:SS``."""


class FolioDetail(TypedDict):
    folioData: FolioData
    documents: list[Document]
    signers: list[Signer]


class FolioEntry(TypedDict):
    """One element of ``read_several``."""

    success: bool
    status: int
    """The HTTP status that ``read`` would give for this folio alone."""
    message: str
    folioId: str
    """The identifier as it was sent."""
    data: FolioDetail | None
    """``None`` if this folio could not be read."""


class CreatedFolio(TypedDict):
    folioId: FolioId
    signProcessUrl: str
    """The address where the folio is signed. With ``send_email=False`` you send it to the signers."""


class CancelDetail(TypedDict):
    folioId: str
    """The identifier as it was sent."""
    status: Literal["CANCELLED", "FAILED"]
    """``FAILED``: not cancelled; ``message`` says why."""
    message: str


class CancelSummary(TypedDict):
    cancelledFolios: int
    failedFolios: int
    details: list[CancelDetail]


class StartedBulk(TypedDict):
    signProcessMassiveUrl: str
    """The address where the signer signs every folio. It works for 24 hours."""
    massiveId: MassiveId


class EvidenceSeal(TypedDict):
    sha256: str
    """SHA-256 of the compact JSON text of ``evidence``."""
    cms: str
    """The installation's CMS signature, with a timestamp, in base64."""


class Evidence(TypedDict):
    """What is in the file that ``Firmeza.evidence`` downloads."""

    evidence: dict[str, Any]
    """What the installation knows of the folio."""
    seal: EvidenceSeal


class SignerInput(TypedDict):
    """A person who is asked to sign."""

    name: str
    email: str
    documentType: DocumentType
    documentNumber: str
    """Identifies the signer within the folio."""
    cellPhoneNumber: str
    """7 to 15 digits, with an optional plus in front."""


class SignerCorrection(TypedDict):
    """A signer to write to again. A contact that is given replaces the old one; one that is left out stays."""

    documentNumber: str
    email: NotRequired[str]
    cellPhoneNumber: NotRequired[str]


class Fault(TypedDict):
    """A problem with one field of a request."""

    field: str
    message: str


class FileDocument(TypedDict):
    """A PDF as bytes."""

    name: str
    """The file name."""
    content: bytes


class Base64Document(TypedDict):
    """A PDF as base64 text."""

    name: str
    """The file name."""
    content: str


FolioEventType = Literal[
    "folio.created",
    "folio.resent",
    "folio.signer_signed",
    "folio.signed",
    "folio.rejected",
    "folio.cancelled",
    "folio.approved",
    "folio.disapproved",
    "folio.dropped",
    "folio.email_bounced",
    "folio.email_complained",
]
"""What happened:

- ``folio.created``, ``folio.resent``, ``folio.rejected``, ``folio.cancelled``, ``folio.dropped``: as the name says
- ``folio.signer_signed``: a signer signed, also the last one
- ``folio.signed``: the last signer signed
- ``folio.approved``, ``folio.disapproved``: the company decided about a signed folio
- ``folio.email_bounced``, ``folio.email_complained``: an email came back, or its recipient reported it as unwanted
"""


class FolioEventData(FolioDetail):
    """The folio at the time of the first attempt, as ``read`` shows it."""

    event: int
    """The event's number in the history of the folio. It gives the order of webhooks that overtake each other."""


class FolioEvent(TypedDict):
    type: FolioEventType
    timestamp: str
    """When it happened, in UTC (RFC 3339)."""
    data: FolioEventData


class TestEventData(TypedDict):
    message: str


class TestEvent(TypedDict):
    """The test that the panel sends."""

    type: Literal["webhook.test"]
    timestamp: str
    data: TestEventData


WebhookEvent = FolioEvent | TestEvent
"""The body of a webhook. Newer installations may send types that are not listed here: ignore those."""


class FirmezaError(Exception):
    """A response of the service that is not a success."""

    status: int
    """The HTTP status."""
    message: str
    """What happened, in Spanish."""
    errors: list[Fault]
    """The problems with single fields, if the service named them."""
    request_id: str | None
    """To quote to the operator of the installation."""
    retry_after: int | None
    """Seconds to wait before the same request can succeed (429 and 503)."""

    def __init__(
        self,
        status: int,
        message: str,
        errors: list[Fault],
        request_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors
        self.request_id = request_id
        self.retry_after = retry_after


class WebhookVerificationError(Exception):
    """A webhook that was not sent by the installation, or is too old. Answer it with 400."""


class _RefuseRedirects(urllib.request.HTTPRedirectHandler):
    """The service never redirects, and urllib would show the key to another host."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


_File = tuple[str, bytes]
_Field = tuple[str, "str | _File"]


class Firmeza:
    """The API of one installation, with one key."""

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        timeout: float = 60,
        handlers: Iterable[urllib.request.BaseHandler] = (),
    ) -> None:
        """
        :param url: the address of the installation, such as ``https://firmas.example.com``
        :param api_key: as it was shown when it was made: ``firmeza_…``
        :param timeout: how many seconds the service may be silent
        :param handlers: more handlers of urllib, such as ``ProxyHandler`` or ``HTTPSHandler(context=…)``
        """
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_RefuseRedirects, *handlers)

    def create(
        self,
        *,
        signers: Sequence[SignerInput],
        folio_name: str,
        folio_message: str,
        signature_type: SignatureType,
        url_return: str,
        send_email: bool,
        documents: Sequence[FileDocument] | None = None,
        documents_base64: Sequence[Base64Document] | None = None,
        language: Language | None = None,
        idempotency_key: str | None = None,
    ) -> CreatedFolio:
        """Creates a folio in state PENDIENTE and, with ``send_email``, writes to its signers.

        :param signers: 1 to 10
        :param folio_name: at most 100 characters
        :param folio_message: shown to the signers; at most 500 characters
        :param url_return: where signers return to after signing: http, https, or the scheme of an app
        :param send_email: ``False``: the service writes to nobody, and you send ``signProcessUrl`` to the signers
        :param language: of the signature sheet, and of messages to signers who choose no other; the company's by default
        :param documents: PDF files as bytes; either these or ``documents_base64``
        :param documents_base64: PDF files as base64 text
        :param idempotency_key: up to 255 visible characters of your own choice, for example a UUID. After a lost answer,
            repeat the same request with the same key: nothing is done twice, and the first answer comes again. Keys are
            remembered for 24 hours. Every operation with POST takes one.
        """
        if (documents is None) == (documents_base64 is None):
            raise TypeError("create() takes either documents or documents_base64")
        fields: list[_Field] = [
            ("signers", json.dumps(signers)),
            ("folioName", folio_name),
            ("folioMessage", folio_message),
            ("signatureType", signature_type),
            ("urlReturn", url_return),
            ("sendEmail", "true" if send_email else "false"),
        ]
        if language is not None:
            fields.append(("language", language))
        if documents_base64 is not None:
            fields += [("fileType", "base64"), ("documentsBase64", json.dumps(documents_base64))]
        else:
            fields.append(("fileType", "file"))
            fields += [("documents[]", (file["name"], file["content"])) for file in documents or ()]
        return cast(CreatedFolio, self._data(self._post("sign", fields, idempotency_key)))

    def read(self, folio_id: FolioId) -> FolioDetail:
        """Reads a folio with its documents and signers."""
        return cast(FolioDetail, self._data(self._get("consult", folioId=folio_id)))

    def read_several(
        self, folio_ids: Sequence[FolioId], *, idempotency_key: str | None = None
    ) -> list[FolioEntry]:
        """Reads up to 1000 folios. Each is answered on its own, in the order of the request."""
        body = json.dumps({"folioId": list(folio_ids)}).encode()
        answer = self._send("consult", body, "application/json", idempotency_key)
        return cast(list[FolioEntry], self._data(answer))

    def resend(
        self,
        folio_id: FolioId,
        signers: Sequence[SignerCorrection],
        url_return: str,
        *,
        idempotency_key: str | None = None,
    ) -> str:
        """Writes to signers again, with the same link, and corrects their contacts. Returns the message of the service.

        :param url_return: at most 500 characters
        """
        fields: list[_Field] = [
            ("folioId", folio_id),
            ("signers", json.dumps(signers)),
            ("urlReturn", url_return),
        ]
        return cast(str, json.loads(self._post("forward_emails", fields, idempotency_key))["message"])

    def download(self, document_id: DocumentId) -> bytes:
        """Downloads a document as a PDF, with the signatures so far."""
        return self._get("download", documentId=document_id)

    def cancel(
        self, folio_ids: Sequence[FolioId], observation: str, *, idempotency_key: str | None = None
    ) -> CancelSummary:
        """Cancels up to 50 folios, which cannot be undone. Each is decided on its own: see ``details``.

        :param observation: the reason, 10 to 500 characters
        """
        fields: list[_Field] = [("folios", json.dumps(list(folio_ids))), ("observation", observation)]
        return cast(CancelSummary, self._data(self._post("cancel", fields, idempotency_key)))

    def start_bulk(
        self,
        folio_ids: Sequence[FolioId],
        signer: SignerInput,
        url_return: str,
        *,
        idempotency_key: str | None = None,
    ) -> StartedBulk:
        """Makes one address where one signer signs many folios. If one folio does not allow it, nothing is made.

        :param folio_ids: at most 50, all of them pending
        :param signer: must be a signer of every folio, by document type and number
        :param url_return: at most 500 characters
        """
        fields: list[_Field] = [
            ("foliosIds", json.dumps(list(folio_ids))),
            ("signer", json.dumps([signer])),
            ("urlReturn", url_return),
        ]
        return cast(StartedBulk, self._data(self._post("massive_sign", fields, idempotency_key)))

    def read_bulk(self, massive_id: MassiveId) -> list[FolioDetail]:
        """Reads the folios of a bulk signature, in their order."""
        return cast(list[FolioDetail], self._data(self._get("consult_massive_sign", massiveId=massive_id)))

    def evidence(self, folio_id: FolioId, *, part: int | None = None) -> bytes:
        """Downloads the sealed evidence of a folio: JSON in UTF-8, of the type ``Evidence``. Keep the bytes as they are;
        ``firmeza verify`` refuses a file that another program wrote anew.

        :param part: the part of a history that does not fit in one file, from 1
        """
        return self._get("evidence", folioId=folio_id, part=part)

    def evidence_report(self, folio_id: FolioId, *, part: int | None = None) -> bytes:
        """Downloads the evidence as a PDF for people, with the evidence itself attached.

        :param part: the part of a history that does not fit in one file, from 1
        """
        return self._get("evidence_report", folioId=folio_id, part=part)

    @staticmethod
    def _data(body: bytes) -> object:
        return json.loads(body)["data"]

    def _get(self, operation: str, **query: str | int | None) -> bytes:
        given = {name: value for name, value in query.items() if value is not None}
        return self._send(f"{operation}?{urllib.parse.urlencode(given)}")

    def _post(self, operation: str, fields: Sequence[_Field], idempotency_key: str | None) -> bytes:
        body, content_type = _multipart(fields)
        return self._send(operation, body, content_type, idempotency_key)

    def _send(
        self,
        target: str,
        body: bytes | None = None,
        content_type: str | None = None,
        idempotency_key: str | None = None,
    ) -> bytes:
        request = urllib.request.Request(f"{self._url}/api/integrations/{target}", data=body)
        request.add_header("x-api-key", f"Bearer {self._api_key}")
        if content_type is not None:
            request.add_header("content-type", content_type)
        if idempotency_key is not None:
            request.add_header("idempotency-key", idempotency_key)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return cast(bytes, response.read())
        except urllib.error.HTTPError as error:
            with error:
                raise _failure(error) from None


def _multipart(fields: Sequence[_Field]) -> tuple[bytes, str]:
    """A form and its content type. Names of files are written as browsers write them."""
    boundary = f"firmeza-{secrets.token_hex(16)}"
    parts: list[bytes] = []
    for name, value in fields:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
        if isinstance(value, str):
            content = value.encode()
        else:
            file_name, content = value
            for character, escaped in (('"', "%22"), ("\r", "%0D"), ("\n", "%0A")):
                file_name = file_name.replace(character, escaped)
            head += f'; filename="{file_name}"\r\nContent-Type: application/pdf'
        parts += [head.encode(), b"\r\n\r\n", content, b"\r\n"]
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def _failure(error: urllib.error.HTTPError) -> FirmezaError:
    """The error in a response. Operations differ in where the message is; a proxy may have answered without JSON."""
    try:
        said = json.loads(error.read())
    except ValueError:
        said = None
    if not isinstance(said, dict):
        said = {}
    message = said.get("message") or (said.get("error") or {}).get("message")
    retry_after = error.headers.get("retry-after") or ""
    return FirmezaError(
        error.code,
        message or f"HTTP {error.code} {error.reason}".rstrip(),
        said.get("errors") or [],
        said.get("requestId") or error.headers.get("x-request-id"),
        int(retry_after) if retry_after.isdecimal() else None,
    )


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = 5 * 60,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a webhook by the Standard Webhooks scheme and returns its event.

    :param body: the body exactly as it arrived, before any JSON parser
    :param headers: the headers of the request
    :param secret: ``whsec_…``, as the panel showed it; several while a secret is replaced
    :param tolerance: how far the timestamp may be from the clock, in seconds
    :param now: the time to compare with, in seconds since 1970; the clock by default
    :raises WebhookVerificationError: if it was not sent by the installation, or is too old
    """
    lowered = {name.lower(): value for name, value in headers.items()}

    def header(name: str) -> str:
        if value := lowered.get(name):
            return value
        raise WebhookVerificationError(f"{name} is missing")

    message_id, timestamp = header("webhook-id"), header("webhook-timestamp")
    signatures = header("webhook-signature")
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 15):
        raise WebhookVerificationError("webhook-timestamp is not a number")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError("webhook-timestamp is too far from the clock")
    signed = f"{message_id}.{timestamp}.".encode() + body
    offered = [text.removeprefix("v1,").encode() for text in signatures.split(" ") if text.startswith("v1,")]
    for one in [secret] if isinstance(secret, str) else secret:
        expected = base64.b64encode(hmac.digest(_hmac_key(one), signed, hashlib.sha256))
        if any(hmac.compare_digest(expected, signature) for signature in offered):
            return cast(WebhookEvent, json.loads(body))
    raise WebhookVerificationError("no signature of webhook-signature fits")


def _hmac_key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    # An empty key would let anybody sign.
    if not key:
        raise ValueError("The secret must be whsec_ and base64")
    return key
