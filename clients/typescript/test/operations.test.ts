/** Every operation against an installation that runs. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { type Evidence, Firmeza, FirmezaError } from "../firmeza.ts";
import { apiKey, base64, fields, firmeza, given, maria, pdf, sign, url } from "./support.ts";

const UNKNOWN = "0".repeat(32);

/** A folio in base64 of that signer. */
async function created(): Promise<string> {
  const folio = await firmeza.create({ ...fields, documentsBase64: [{ name: "contrato.pdf", content: base64 }] });
  return folio.folioId;
}

async function refused(attempt: Promise<unknown>, status: number, message: RegExp): Promise<FirmezaError> {
  const error = await attempt.then(
    () => assert.fail("it succeeded"),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof FirmezaError, String(error));
  assert.equal(error.status, status, error.message);
  assert.match(error.message, message);
  return error;
}

test("a folio of files is created, signed, downloaded and proved", async () => {
  const { folioId, signProcessUrl } = await firmeza.create({
    ...fields,
    documents: [
      { name: "año uno.pdf", content: pdf },
      { name: "dos.pdf", content: new Blob([pdf]) },
      { name: "tres.pdf", content: pdf.buffer },
    ],
  });
  assert(new URL(signProcessUrl).searchParams.has("f"));

  const pending = await firmeza.read(folioId);
  assert.equal(pending.folioData.state, "2");
  assert.equal(pending.folioData.name, fields.folioName);
  assert.deepEqual(
    pending.documents.map((document) => document.name),
    ["año uno.pdf", "dos.pdf", "tres.pdf"],
  );
  for (const { documentId } of pending.documents) {
    assert.deepEqual(await firmeza.download(documentId), pdf, "before a signature the bytes are those that were sent");
  }

  await sign(folioId, maria.documentNumber);
  const signed = await firmeza.read(folioId);
  assert.deepEqual([signed.folioData.state, signed.folioData.stateName], ["1", "FIRMADO"]);
  assert.equal(signed.signers[0]?.folioState, "1");
  const document = await firmeza.download(signed.documents[0]!.documentId);
  assert(document.length > pdf.length);

  const file = await firmeza.evidence(folioId);
  const evidence: Evidence = JSON.parse(new TextDecoder().decode(file));
  assert.match(evidence.seal.sha256, /^[0-9a-f]{64}$/);
  const report = await firmeza.evidenceReport(folioId, { part: 1 });
  assert.equal(new TextDecoder().decode(report.slice(0, 5)), "%PDF-");
  // The test of `cli` that runs this program verifies these.
  writeFileSync(`${given("FIRMEZA_TEST_OUTPUT")}/evidence.json`, file);
  writeFileSync(`${given("FIRMEZA_TEST_OUTPUT")}/signed.pdf`, document);
});

test("several folios are read at once, each on its own", async () => {
  const folioId = await created();
  const [found, missing] = await firmeza.readSeveral([folioId, UNKNOWN]);
  assert.equal(found?.data?.folioData.folioId, folioId);
  assert.deepEqual([missing?.success, missing?.status, missing?.data], [false, 404, null]);
});

test("emails are sent again, to a corrected address", async () => {
  const folioId = await created();
  const signers = [{ documentNumber: maria.documentNumber, email: "otra@example.com" }];
  const message = await firmeza.resend({ folioId, signers, urlReturn: fields.urlReturn });
  assert.notEqual(message, "");
  const [signer] = (await firmeza.read(folioId)).signers;
  assert.deepEqual([signer?.email, signer?.cellPhoneNumber], ["otra@example.com", maria.cellPhoneNumber]);
});

test("folios are cancelled, each on its own", async () => {
  const folioId = await created();
  const summary = await firmeza.cancel([folioId, UNKNOWN], "El contrato tiene un error.");
  assert.deepEqual([summary.cancelledFolios, summary.failedFolios], [1, 1]);
  assert.deepEqual(
    summary.details.map((detail) => [detail.folioId, detail.status]),
    [
      [folioId, "CANCELLED"],
      [UNKNOWN, "FAILED"],
    ],
  );
  assert.equal((await firmeza.read(folioId)).folioData.state, "6");
});

test("a bulk signature is started and read", async () => {
  const foliosIds = [await created(), await created()];
  const bulk = await firmeza.startBulk({ foliosIds, signer: maria, urlReturn: fields.urlReturn });
  assert(new URL(bulk.signProcessMassiveUrl).searchParams.has("msv"));
  const read = await firmeza.readBulk(bulk.massiveId);
  assert.deepEqual(
    read.map((folio) => folio.folioData.folioId),
    foliosIds,
  );
});

test("a create that is repeated with its key happens once", async () => {
  const folio = { ...fields, documents: [{ name: "contrato.pdf", content: pdf }] };
  const idempotencyKey = randomUUID();
  const first = await firmeza.create(folio, { idempotencyKey });
  assert.deepEqual(await firmeza.create(folio, { idempotencyKey }), first);
  await refused(firmeza.create({ ...folio, folioName: "Otro" }, { idempotencyKey }), 409, /Idempotency-Key/);
});

test("errors of either form are of one class", async () => {
  const documents = [{ name: "contrato.pdf", content: pdf }];
  const faulty = await refused(firmeza.create({ ...fields, folioName: "", documents }), 400, /folioName/);
  assert.equal(faulty.errors[0]?.field, "folioName");
  assert.match(faulty.requestId ?? "", /./);
  await refused(firmeza.download(UNKNOWN), 404, /no existe/);
  await refused(new Firmeza({ url, apiKey: "firmeza_no" }).read(UNKNOWN), 403, /Acceso denegado/);
  await refused(firmeza.evidence("x", { part: 2 }), 400, /./);
});

test("an answer that is not the service's is an error too, and a redirect is not followed", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.includes("redirect")) response.writeHead(302, { location: "/elsewhere" }).end();
    else response.writeHead(503, { "retry-after": "7", "x-request-id": "abc" }).end("<h1>busy</h1>");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const other = new Firmeza({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey });
    const busy = await refused(other.read("busy"), 503, /^HTTP 503/);
    assert.deepEqual([busy.retryAfter, busy.requestId, busy.errors], [7, "abc", []]);
    await assert.rejects(other.read("redirect"), TypeError);
    assert.equal(asked.length, 2, "nothing was asked elsewhere");
  } finally {
    server.close();
  }
});

test("a request can be ended early", async () => {
  await assert.rejects(firmeza.read(UNKNOWN, { signal: AbortSignal.abort() }), { name: "AbortError" });
});
