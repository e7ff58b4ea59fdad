"""Every kind of operation through the client that openapi-python-client generates."""

import io
import json
import os
from pathlib import Path

from firmeza_client import Client
from firmeza_client.api.firma_masiva import read_bulk, start_bulk
from firmeza_client.api.folios import (
    cancel_folios,
    create_folio,
    download_document,
    read_evidence_report,
    read_folio,
    read_folios,
    resend_emails,
)
from firmeza_client.models import (
    CancelFoliosBody,
    CreateFolioBody,
    CreateFolioBodyFileType,
    CreateFolioBodySendEmail,
    ReadFoliosBody,
    ResendEmailsBody,
    SignatureType,
    StartBulkBody,
)
from firmeza_client.types import File

PDF = Path(os.environ["PDF"]).read_bytes()
SIGNER = {
    "name": "María Pérez",
    "email": "maria@example.com",
    "documentType": "CC",
    "documentNumber": "1001",
    "cellPhoneNumber": "3001234567",
}
RETURN = "https://cliente.example.com/gracias"
client = Client(base_url=os.environ["BASE"], headers={"x-api-key": os.environ["KEY"]})

body = CreateFolioBody(
    signers=json.dumps([SIGNER]),
    folio_name="Nómina ✍",
    folio_message="Por favor firme.",
    signature_type=SignatureType.CODE_BY_EMAIL,
    url_return=RETURN,
    file_type=CreateFolioBodyFileType.FILE,
    send_email=CreateFolioBodySendEmail.FALSE,
    documents=[File(payload=io.BytesIO(PDF), file_name="Nómina.pdf", mime_type="application/pdf")],
)
folio = create_folio.sync(client=client, body=body).data.folio_id
detail = read_folio.sync(client=client, folio_id=folio).data
assert detail.folio_data.name == "Nómina ✍", detail
assert detail.documents[0].name == "Nómina.pdf", detail
several = read_folios.sync(client=client, body=ReadFoliosBody(folio_id=[folio])).data
assert several[0].data.signers[0].name == "María Pérez", several
resent = resend_emails.sync(
    client=client,
    body=ResendEmailsBody(folio_id=folio, signers=json.dumps([{"documentNumber": "1001"}]), url_return=RETURN),
)
assert resent.success, resent
document = download_document.sync_detailed(client=client, document_id=detail.documents[0].document_id)
assert document.content == PDF
bulk = start_bulk.sync(
    client=client,
    body=StartBulkBody(folios_ids=json.dumps([folio]), signer=json.dumps([SIGNER]), url_return=RETURN),
).data
assert read_bulk.sync(client=client, massive_id=bulk.massive_id).data[0].folio_data.folio_id == folio
assert read_evidence_report.sync_detailed(client=client, folio_id=folio).content.startswith(b"%PDF")
cancelled = cancel_folios.sync(
    client=client, body=CancelFoliosBody(folios=json.dumps([folio]), observation="Se cancela por error.")
).data
assert (cancelled.cancelled_folios, cancelled.details[0].status) == (1, "CANCELLED"), cancelled
print(folio)
