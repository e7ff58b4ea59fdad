"""The steps that every Python client takes. A client has:

get(url, headers, query), post_json(url, headers, value), post_form(url, headers, fields, file=None)

Each returns a `Response`. A file is a path.
"""

import json
import os
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

ENV = os.environ
BASE = ENV["BASE"]
API = BASE + "/api/integrations"
KEY = {"x-api-key": ENV["KEY"]}
WRONG_KEY = {"x-api-key": "Bearer 0123456789abcdef"}
PDF = Path(ENV["PDF"])
LARGE_PDF = Path(ENV["LARGE_PDF"])


@dataclass
class Response:
    status: int
    #: The client's own reading of the body as JSON; None for another kind of body.
    json: object
    content: bytes


def folio(file_type="file"):
    return {
        "signers": ENV["SIGNERS"],
        "folioName": ENV["FOLIO_NAME"],
        "folioMessage": ENV["FOLIO_MESSAGE"],
        "signatureType": "1",
        "urlReturn": ENV["RETURN_URL"],
        "fileType": file_type,
        "sendEmail": "true",
    }


def report(step, response):
    body = response.content
    if response.json is not None:
        body = json.dumps(response.json, ensure_ascii=False).encode()
    (Path(ENV["OUT"]) / step).write_bytes(body)
    print(json.dumps({"step": step, "status": response.status}), flush=True)
    return response.json


def run(client):
    def get(step, path, headers=KEY, **query):
        return report(step, client.get(f"{API}/{path}", headers, query))

    def post(step, path, fields, file=None, headers=KEY):
        return report(step, client.post_form(f"{API}/{path}", headers, fields, file))

    first = post("create_file", "sign", folio(), PDF)["data"]["folioId"]
    document = {"name": PDF.name, "content": b64encode(PDF.read_bytes()).decode()}
    base64 = {"documentsBase64": json.dumps([document], ensure_ascii=False)}
    second = post("create_base64", "sign", folio("base64") | base64)["data"]["folioId"]
    both = json.dumps([first, second])
    document = get("read_one", "consult", folioId=first)["data"]["documents"][0]["documentId"]
    report("read_several_json", client.post_json(f"{API}/consult", KEY, {"folioId": [first, second]}))
    post("read_several_form", "consult", {"folios": both})
    resend = {"folioId": first, "signers": ENV["CORRECTIONS"], "urlReturn": ENV["RETURN_URL"]}
    post("resend", "forward_emails", resend)
    get("download_get", "download", documentId=document)
    post("download_post", "download/", {"documentId": document})
    bulk = {"foliosIds": both, "signer": ENV["BULK_SIGNER"], "urlReturn": ENV["RETURN_URL"]}
    bulk = post("bulk_start", "massive_sign", bulk)["data"]["massiveId"]
    get("bulk_read", "consult_massive_sign", massiveId=bulk)
    post("cancel", "cancel", {"folios": json.dumps([second]), "observation": ENV["OBSERVATION"]})
    sign = {"folioId": first, "documentNumber": ENV["NUMBER"], "action": "sign"}
    report("sign", client.post_json(f"{BASE}/sandbox/signers", KEY, sign))
    get("download_signed", "download", documentId=document)
    get("evidence", "evidence", folioId=first)
    get("evidence_pdf", "evidence", folioId=first, format="pdf")
    get("no_key", "consult", headers={}, folioId=first)
    get("wrong_key", "consult", headers=WRONG_KEY, folioId=first)
    post("create_large", "sign", folio(), LARGE_PDF)
    refused = f"{ENV['DIRECT_BASE']}/api/integrations/sign"
    report("refused_large", client.post_form(refused, WRONG_KEY, folio(), LARGE_PDF))
