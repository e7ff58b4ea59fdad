"""Takes OTLP over HTTP for tests, as an OpenTelemetry collector does: a request is decoded by the official definitions and
written down as JSON, a line each."""

import http.server
import json
import sys

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

port, taken = sys.argv[1:]
KINDS = {
    "/v1/traces": (ExportTraceServiceRequest, ExportTraceServiceResponse),
    "/v1/metrics": (ExportMetricsServiceRequest, ExportMetricsServiceResponse),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers["content-type"] != "application/x-protobuf" or self.path not in KINDS:
            self.answer(415, b"")
            return
        request, response = KINDS[self.path]
        line = {
            "path": self.path,
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "body": MessageToDict(request.FromString(body)),
        }
        with open(taken, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self.answer(200, response().SerializeToString())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
