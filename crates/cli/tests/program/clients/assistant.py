"""An assistant: the official client of the Model Context Protocol starts `firmeza mcp` and calls every tool."""

import asyncio
import base64
import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

PROGRAM, URL, API_KEY, PDF, OUTPUT = sys.argv[1:]
UNKNOWN = "0" * 32
MARIA = {
    "name": "María Pérez",
    "email": "maria@example.com",
    "documentType": "CC",
    "documentNumber": "1001",
    "cellPhoneNumber": "3001234567",
}
FOLIO = {
    "folioName": "Contrato «Ñandú» ✍",
    "folioMessage": "Por favor firme.",
    "signatureType": "1",
    "urlReturn": "https://example.com/gracias",
    "sendEmail": True,
    "signers": [MARIA],
}
READS = {"read_folio", "read_folios", "read_bulk", "read_evidence"}
DESTROYS = {"cancel_folios"}
ADDS = {"create_folio", "resend_emails", "download_document", "start_bulk", "download_evidence"}
# The tool of each operation of the API.
TOOLS = {
    "createFolio": "create_folio",
    "readFolio": "read_folio",
    "readFolios": "read_folios",
    "resendEmails": "resend_emails",
    "downloadDocument": "download_document",
    "downloadDocumentByForm": "download_document",
    "cancelFolios": "cancel_folios",
    "startBulk": "start_bulk",
    "readBulk": "read_bulk",
    "readEvidence": "read_evidence",
    "readEvidenceReport": "download_evidence",
}


def server(url: str = URL, key: str = API_KEY) -> StdioServerParameters:
    environment = {"FIRMEZA_URL": url, "FIRMEZA_API_KEY": key}
    return StdioServerParameters(command=PROGRAM, args=["mcp"], env=environment, cwd=OUTPUT)


class Assistant:
    def __init__(self, client: Client) -> None:
        self.client = client
        self.called: set[str] = set()

    async def text(self, tool: str, fails: bool, arguments: dict[str, Any]) -> str:
        self.called.add(tool)
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert result.is_error == fails, (tool, content.text)
        assert API_KEY not in content.text
        return content.text

    async def call(self, tool: str, **arguments: Any) -> Any:
        return json.loads(await self.text(tool, False, arguments))

    async def refused(self, said: str, tool: str, **arguments: Any) -> None:
        text = await self.text(tool, True, arguments)
        assert said in text, text


def sign(folio_id: str) -> None:
    body = json.dumps({"folioId": folio_id, "documentNumber": MARIA["documentNumber"], "action": "sign"})
    headers = {"x-api-key": f"Bearer {API_KEY}", "content-type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{URL}/sandbox/signers", body.encode(), headers)).close()


async def every_tool(mode: str, version: str) -> None:
    async with Client(server(), mode=mode) as client:
        assert client.protocol_version == version, client.protocol_version
        assert client.server_info is not None and client.server_info.name == "firmeza"
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(listed) == READS | DESTROYS | ADDS, listed
        for name, tool in listed.items():
            assert tool.annotations is not None and tool.description
            assert tool.annotations.read_only_hint == (name in READS), name
            assert tool.annotations.destructive_hint == (name in DESTROYS), name
            assert tool.input_schema["type"] == "object"
        signer = listed["create_folio"].input_schema["properties"]["signers"]["items"]
        described = openapi["components"]["schemas"]["SignerInput"]
        assert signer["properties"].keys() == described["properties"].keys()
        assert signer["required"] == described["required"]
        operations = {operation["operationId"] for path in openapi["paths"].values() for operation in path.values()}
        assert operations == TOOLS.keys() and set(TOOLS.values()) == set(listed), operations

        assistant = Assistant(client)
        created = await assistant.call("create_folio", **FOLIO, documentPaths=[PDF])
        folio_id = created["folioId"]
        assert created["signProcessUrl"].startswith("http")
        read = await assistant.call("read_folio", folioId=folio_id)
        assert (read["folioData"]["state"], read["folioData"]["name"]) == ("2", FOLIO["folioName"])
        assert read["documents"][0]["name"] == Path(PDF).name

        content = base64.b64encode(Path(PDF).read_bytes()).decode()
        once = {"documentsBase64": [{"name": "b.pdf", "content": content}], "idempotencyKey": f"clave-{mode}"}
        other = await assistant.call("create_folio", **FOLIO, **once)
        assert await assistant.call("create_folio", **FOLIO, **once) == other
        several = await assistant.call("read_folios", folioIds=[other["folioId"], UNKNOWN])
        assert [folio["status"] for folio in several] == [200, 404]

        bulk = await assistant.call(
            "start_bulk", folioIds=[folio_id, other["folioId"]], signer=MARIA, urlReturn=FOLIO["urlReturn"]
        )
        folios = await assistant.call("read_bulk", massiveId=bulk["massiveId"])
        assert [folio["folioData"]["folioId"] for folio in folios] == [folio_id, other["folioId"]]

        corrected = [{"documentNumber": MARIA["documentNumber"], "email": "otra@example.com"}]
        resend = {"folioId": other["folioId"], "signers": corrected, "urlReturn": FOLIO["urlReturn"]}
        assert await assistant.text("resend_emails", False, resend)
        read = await assistant.call("read_folio", folioId=other["folioId"])
        assert read["signers"][0]["email"] == "otra@example.com"

        cancelled = await assistant.call(
            "cancel_folios", folioIds=[other["folioId"], UNKNOWN], observation="El contrato tiene un error."
        )
        assert (cancelled["cancelledFolios"], cancelled["failedFolios"]) == (1, 1)

        sign(folio_id)
        signed = await assistant.call("read_folio", folioId=folio_id)
        assert signed["folioData"]["stateName"] == "FIRMADO"
        document_id = signed["documents"][0]["documentId"]
        target = f"{OUTPUT}/{mode}.pdf"
        saved = await assistant.call("download_document", documentId=document_id, path=target)
        assert saved == {"path": target, "bytes": Path(target).stat().st_size}
        await assistant.refused("ya existe", "download_document", documentId=document_id, path=target)
        await assistant.refused(".pdf", "download_document", documentId=document_id, path=f"{OUTPUT}/x.sh")

        evidence = await assistant.call("read_evidence", folioId=folio_id)
        assert evidence["evidence"]["folio"]["id"] == folio_id
        for kind in ("json", "pdf"):
            target = f"{OUTPUT}/{mode}-evidence.{kind}"
            await assistant.call("download_evidence", folioId=folio_id, path=target, format=kind)
            assert Path(target).stat().st_size > 0

        await assistant.refused("Error 404: El recurso solicitado no existe.", "read_folio", folioId=UNKNOWN)
        await assistant.refused("Error 400: El parámetro (folioName)", "create_folio", **FOLIO | {"folioName": " "}, **{
            "documentPaths": [PDF]
        })
        await assistant.refused("documentPaths", "create_folio", **FOLIO)
        await assistant.refused("no es un PDF", "create_folio", **FOLIO, documentPaths=[__file__])
        await assistant.refused("folioId", "read_folio")
        await assistant.refused("folio_id", "read_folio", folioId=UNKNOWN, folio_id=UNKNOWN)
        assert assistant.called == set(listed), "every tool was called"


async def without_access() -> None:
    async with Client(server(key="firmeza_equivocada")) as client:
        await Assistant(client).refused("Error 403: Acceso denegado", "read_folio", folioId=UNKNOWN)
    async with Client(server(url="http://127.0.0.1:1")) as client:
        await Assistant(client).refused("No hay respuesta de http://127.0.0.1:1", "read_folio", folioId=UNKNOWN)


async def main() -> None:
    # With the handshake of older clients, and with versions in each request.
    await every_tool("legacy", "2025-11-25")
    await every_tool("auto", "2026-07-28")
    await without_access()


os.environ["no_proxy"] = "*"
with urllib.request.urlopen(f"{URL}/openapi.json") as document:
    openapi = json.load(document)
asyncio.run(main())
