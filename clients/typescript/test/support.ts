/** What the tests share: an installation that runs (`FIRMEZA_TEST_URL`, `FIRMEZA_TEST_API_KEY`) and a folio to send. */

import { Firmeza, type NewFolioFields, type SignerInput } from "../firmeza.ts";

export function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

export const url = given("FIRMEZA_TEST_URL");
export const apiKey = given("FIRMEZA_TEST_API_KEY");
export const firmeza = new Firmeza({ url: `${url}/`, apiKey });

/** JSON of any shape. */
export type Json = any;

export const openapi: Json = await (await fetch(`${url}/openapi.json`)).json();

const createFields =
  openapi.paths["/api/integrations/sign"].post.requestBody.content["multipart/form-data"].schema.properties;

/** The PDF in the document's example. */
export const base64: string = JSON.parse(createFields.documentsBase64.examples[0])[0].content;
export const pdf = new Uint8Array(Buffer.from(base64, "base64"));

export const maria: SignerInput = {
  name: "María Pérez",
  email: "maria@example.com",
  documentType: "CC",
  documentNumber: "1001",
  cellPhoneNumber: "3001234567",
};

export const fields: NewFolioFields = {
  signers: [maria],
  folioName: "Contrato «Ñandú» ✍",
  folioMessage: "Por favor firme.",
  signatureType: "1",
  urlReturn: "https://example.com/gracias",
  sendEmail: true,
};

/** Has a signer of the sandbox sign. */
export async function sign(folioId: string, documentNumber: string): Promise<void> {
  const response = await fetch(`${url}/sandbox/signers`, {
    method: "POST",
    headers: { "x-api-key": `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ folioId, documentNumber, action: "sign" }),
  });
  if (!response.ok) throw new Error(await response.text());
}
