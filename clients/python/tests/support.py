"""What the tests share: an installation that runs (``FIRMEZA_TEST_URL``, ``FIRMEZA_TEST_API_KEY``) and a folio to send."""

import base64
import json
import os
import urllib.request
from typing import Any

from firmeza import Firmeza, Language, SignerInput

URL = os.environ["FIRMEZA_TEST_URL"]
API_KEY = os.environ["FIRMEZA_TEST_API_KEY"]
UNKNOWN = "0" * 32
URL_RETURN = "https://example.com/gracias"

firmeza = Firmeza(f"{URL}/", API_KEY)

with urllib.request.urlopen(f"{URL}/openapi.json") as _response:
    OPENAPI: dict[str, Any] = json.load(_response)

_FIELDS = OPENAPI["paths"]["/api/integrations/sign"]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
# The PDF in the document's example.
BASE64: str = json.loads(_FIELDS["properties"]["documentsBase64"]["examples"][0])[0]["content"]
PDF = base64.b64decode(BASE64)

MARIA: SignerInput = {
    "name": "María Pérez",
    "email": "maria@example.com",
    "documentType": "CC",
    "documentNumber": "1001",
    "cellPhoneNumber": "3001234567",
}


def create(
    client: Firmeza = firmeza,
    *,
    name: str = "Contrato «Ñandú» ✍",
    files: list[str] | None = None,
    key: str | None = None,
    language: Language | None = None,
) -> str:
    """Creates a folio, of files or in base64; its identifier."""
    created = client.create(
        signers=[MARIA],
        folio_name=name,
        folio_message="Por favor firme.",
        signature_type="1",
        url_return=URL_RETURN,
        send_email=True,
        documents=[{"name": file, "content": PDF} for file in files] if files else None,
        documents_base64=None if files else [{"name": "contrato.pdf", "content": BASE64}],
        language=language,
        idempotency_key=key,
    )
    return created["folioId"]


def sign(folio_id: str, document_number: str) -> None:
    """Has a signer of the sandbox sign."""
    body = json.dumps({"folioId": folio_id, "documentNumber": document_number, "action": "sign"})
    headers = {"x-api-key": f"Bearer {API_KEY}", "content-type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{URL}/sandbox/signers", body.encode(), headers)).close()
