// Every kind of operation through openapi-fetch, with the types that openapi-typescript generates.
import { readFileSync } from "node:fs";
import { strict as assert } from "node:assert";
import createClient from "openapi-fetch";
import type { paths } from "./openapi.js";

const variable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};
const pdf = readFileSync(variable("PDF"));
const client = createClient<paths>({ baseUrl: variable("BASE"), headers: { "x-api-key": variable("KEY") } });
const signer = {
  name: "María Pérez", email: "maria@example.com", documentType: "CC", documentNumber: "1001", cellPhoneNumber: "3001234567",
};
const urlReturn = "https://cliente.example.com/gracias";

// A form's body is serialised by the caller: files are no JSON.
const form = (body: Record<string, unknown>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof File) data.append(name, value);
    else data.append(name, String(value));
  }
  return data;
};

const created = await client.POST("/api/integrations/sign", {
  body: {
    signers: JSON.stringify([signer]), folioName: "Nómina ✍", folioMessage: "Por favor firme.", signatureType: "1", urlReturn,
    fileType: "file", sendEmail: "false",
  },
  bodySerializer: (body) => {
    const data = form(body as Record<string, unknown>);
    data.append("documents[]", new File([pdf], "Nómina.pdf", { type: "application/pdf" }));
    return data;
  },
});
assert(created.data, JSON.stringify(created.error));
const folioId = created.data.data.folioId;

const read = await client.GET("/api/integrations/consult", { params: { query: { folioId } } });
assert.equal(read.data?.data.folioData.name, "Nómina ✍");
const [document] = read.data?.data.documents ?? [];
assert.equal(document?.name, "Nómina.pdf");
const several = await client.POST("/api/integrations/consult", { body: { folioId: [folioId] } });
assert.equal(several.data?.data[0]?.data?.signers[0]?.name, "María Pérez");
const resent = await client.POST("/api/integrations/forward_emails", {
  body: { folioId, signers: JSON.stringify([{ documentNumber: "1001" }]), urlReturn }, bodySerializer: form,
});
assert.equal(resent.data?.success, true);
const download = await client.GET("/api/integrations/download", {
  params: { query: { documentId: document?.documentId ?? "" } }, parseAs: "arrayBuffer",
});
assert(download.data && Buffer.from(download.data).equals(pdf));
const bulk = await client.POST("/api/integrations/massive_sign", {
  body: { foliosIds: JSON.stringify([folioId]), signer: JSON.stringify([signer]), urlReturn }, bodySerializer: form,
});
const massiveId = bulk.data?.data.massiveId ?? "";
const bulkRead = await client.GET("/api/integrations/consult_massive_sign", { params: { query: { massiveId } } });
assert.equal(bulkRead.data?.data[0]?.folioData.folioId, folioId);
const cancelled = await client.POST("/api/integrations/cancel", {
  body: { folios: JSON.stringify([folioId]), observation: "Se cancela por error." }, bodySerializer: form,
});
assert.equal(cancelled.data?.data.details[0]?.status, "CANCELLED");
console.log(folioId);
