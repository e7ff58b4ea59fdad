"""The client and the OpenAPI document of the installation say the same: every operation, field and value."""

import email
import email.policy
import io
import json
import types
import typing
import unittest
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from typing import Any, Literal, NotRequired, Union
from urllib.parse import parse_qsl, urlsplit
from urllib.response import addinfourl

import firmeza
from firmeza import Firmeza

from .support import MARIA, OPENAPI, create

# The method of each operation.
METHODS = {
    "createFolio": "create",
    "readFolio": "read",
    "readFolios": "read_several",
    "resendEmails": "resend",
    "downloadDocument": "download",
    "cancelFolios": "cancel",
    "startBulk": "start_bulk",
    "readBulk": "read_bulk",
    "readEvidence": "evidence",
    "readEvidenceReport": "evidence_report",
}
# The same operation as another.
LEFT_OUT_OPERATIONS = {"downloadDocumentByForm"}
# For caches and partial downloads.
LEFT_OUT_HEADERS = {"Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"}
# Become a FirmezaError.
ERRORS = ("ErrorA", "ErrorB", "ErrorMessage")

SCHEMAS: dict[str, Any] = OPENAPI["components"]["schemas"]


@dataclass
class Shape:
    """What a value may be: words such as ``string`` and ``"1"``, one kind of list, and one kind of object."""

    words: set[str] = field(default_factory=set)
    items: "Shape | None" = None
    members: "dict[str, tuple[bool, Shape]] | None" = None


def either(shapes: list[Shape]) -> Shape:
    items = [shape.items for shape in shapes if shape.items is not None]
    objects = [shape.members for shape in shapes if shape.members is not None]
    members: dict[str, tuple[bool, Shape]] = {}
    for name in {name for one in objects for name in one}:
        found = [one[name] for one in objects if name in one]
        optional = len(found) < len(objects) or any(optional for optional, _ in found)
        members[name] = (optional, either([shape for _, shape in found]))
    words = {word for shape in shapes for word in shape.words}
    return Shape(words, either(items) if items else None, members if objects else None)


def shape_of_schema(schema: dict[str, Any]) -> Shape:
    if "$ref" in schema:
        return shape_of_schema(SCHEMAS[schema["$ref"].rsplit("/", 1)[1]])
    if "oneOf" in schema:
        return either([shape_of_schema(one) for one in schema["oneOf"]])
    kind = schema["type"]
    if isinstance(kind, list):
        return either([shape_of_schema(schema | {"type": one}) for one in kind])
    if "enum" in schema:
        return Shape({json.dumps(value) for value in schema["enum"]})
    if kind == "array":
        return Shape(items=shape_of_schema(schema["items"]))
    if kind == "object" and "properties" in schema:
        required = schema.get("required", [])
        properties = schema["properties"].items()
        return Shape(members={name: (name not in required, shape_of_schema(one)) for name, one in properties})
    return Shape({kind})


WORDS = {str: "string", int: "integer", bool: "boolean", bytes: "bytes", types.NoneType: "null"}


def shape_of_type(hint: Any) -> Shape:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return either([shape_of_type(one) for one in arguments])
    if origin is Literal:
        return Shape({json.dumps(value) for value in arguments})
    if origin is list:
        return Shape(items=shape_of_type(arguments[0]))
    if origin is dict:
        return Shape({"object"})
    if typing.is_typeddict(hint):
        members = {}
        for name, member in typing.get_type_hints(hint, include_extras=True).items():
            optional = typing.get_origin(member) is NotRequired
            members[name] = (optional, shape_of_type(typing.get_args(member)[0] if optional else member))
        return Shape(members=members)
    return Shape({WORDS[hint]})


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    paths = OPENAPI["paths"].items()
    return [(path, verb, operation) for path, verbs in paths for verb, operation in verbs.items()]


class Recorder(urllib.request.HTTPHandler):
    """Answers instead of a server, and keeps the names of what was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[tuple[str, str], set[str]] = {}

    def http_open(self, request: urllib.request.Request) -> addinfourl:  # type: ignore[override]
        address = urlsplit(request.full_url)
        names = self.sent.setdefault((request.get_method().lower(), address.path), set())
        names |= {f"query {name}" for name, _ in parse_qsl(address.query)}
        names |= {f"header {name.lower()}" for name, _ in request.header_items()}
        content_type = request.get_header("Content-type", "")
        if content_type == "application/json":
            assert isinstance(request.data, bytes)
            names |= {f"field {name}" for name in json.loads(request.data)}
        elif content_type:
            assert isinstance(request.data, bytes)
            form = email.message_from_bytes(
                f"Content-Type: {content_type}\r\n\r\n".encode() + request.data, policy=email.policy.HTTP
            )
            for part in form.iter_parts():
                names.add(f"field {part.get_param('name', header='content-disposition')}")
        body = io.BytesIO(b'{"message": "", "data": {"folioId": "f"}}')
        answer = addinfourl(body, Message(), request.full_url, 200)
        answer.msg = "OK"  # type: ignore[attr-defined]
        return answer


class OpenApi(unittest.TestCase):
    maxDiff = None

    def test_every_schema_has_a_type_of_the_same_name_and_shape(self) -> None:
        for name, schema in SCHEMAS.items():
            if not name.endswith("Response") and name not in ERRORS:
                self.assertIn(name, firmeza.__all__)
                self.assertEqual(shape_of_type(getattr(firmeza, name)), shape_of_schema(schema), name)
        create = OPENAPI["paths"]["/api/integrations/sign"]["post"]
        fields = create["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]
        document = fields["documentsBase64"]["contentSchema"]["items"]
        self.assertEqual(shape_of_type(firmeza.Base64Document), shape_of_schema(document))

    def test_every_member_of_an_error_is_a_member_of_firmeza_error(self) -> None:
        members = typing.get_type_hints(firmeza.FirmezaError)
        described = {member for name in ERRORS for member in SCHEMAS[name]["properties"]}
        # Those two are the form itself.
        described -= {"success", "error"}
        self.assertEqual(described, {"status", "message", "errors", "requestId"})
        self.assertLessEqual({"status", "message", "errors", "request_id"}, members.keys())

    def test_every_operation_has_a_method_that_returns_what_the_service_answers(self) -> None:
        described = {operation["operationId"] for _, _, operation in operations()}
        self.assertEqual(described, METHODS.keys() | LEFT_OUT_OPERATIONS)
        for _, _, operation in operations():
            if method := METHODS.get(operation["operationId"]):
                returned = typing.get_type_hints(getattr(Firmeza, method))["return"]
                answered = self.answer(operation["responses"]["200"])
                self.assertEqual(shape_of_type(returned), answered, method)

    def answer(self, response: dict[str, Any]) -> Shape:
        """The part of a successful response that a method returns: the bytes of a file, or the data."""
        if "Content-Disposition" in response["headers"]:
            return Shape({"bytes"})
        name = response["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
        members = SCHEMAS[name]["properties"]
        known = {"success", "status", "message", "data"}
        self.assertLessEqual(members.keys(), known, f"{name} has members that the client does not know")
        return shape_of_schema(members.get("data") or members["message"])

    def test_every_request_is_sent_as_described_with_every_field(self) -> None:
        recorder = Recorder()
        client = Firmeza("http://localhost", "k", handlers=[recorder])
        for files in (["a.pdf"], None):
            create(client, files=files, key="k", language="pt")
        client.read("f")
        client.read_several(["f"], idempotency_key="k")
        client.resend("f", [{"documentNumber": "1"}], "u", idempotency_key="k")
        client.download("d")
        client.cancel(["f"], "o", idempotency_key="k")
        client.start_bulk(["f"], MARIA, "u", idempotency_key="k")
        client.read_bulk("m")
        client.evidence("f", part=1)
        client.evidence_report("f", part=1)
        # What urllib adds by itself.
        by_itself = {f"header {name}" for name in ("host", "content-length", "user-agent", "content-type")}
        for path, verb, operation in operations():
            if operation["operationId"] in LEFT_OUT_OPERATIONS:
                continue
            content = operation.get("requestBody", {}).get("content", {})
            body = content.get("application/json") or content.get("multipart/form-data") or {}
            expected = {"header x-api-key"}
            expected |= {f"field {name}" for name in body.get("schema", {}).get("properties", {})}
            for parameter in operation.get("parameters", []):
                name = parameter["name"]
                if name not in LEFT_OUT_HEADERS:
                    expected.add(f"{parameter['in']} {name.lower() if parameter['in'] == 'header' else name}")
            self.assertEqual(recorder.sent[verb, path] - by_itself, expected, operation["operationId"])
