// The steps that every client of Node takes. A client has:
//
//   get(url, headers), postJson(url, headers, value), postForm(url, headers, fields, file)
//
// Each returns {status, type, text or bytes}: a text is as the client decoded it. A file is a path.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

export const ENV = process.env;
export const API = `${ENV.BASE}/api/integrations`;
export const KEY = { "x-api-key": ENV.KEY };
export const WRONG_KEY = { "x-api-key": "Bearer 0123456789abcdef" };
export const PDF = ENV.PDF;

// Loads a package from the directory where the tests have installed it.
export const load = ENV.NODE_PACKAGES && createRequire(`${ENV.NODE_PACKAGES}/`);

export function folio(fileType = "file") {
  return {
    signers: ENV.SIGNERS,
    folioName: ENV.FOLIO_NAME,
    folioMessage: ENV.FOLIO_MESSAGE,
    signatureType: "1",
    urlReturn: ENV.RETURN_URL,
    fileType,
    sendEmail: "true",
  };
}

export function report(step, response) {
  writeFileSync(join(ENV.OUT, step), response.text ?? response.bytes);
  console.log(JSON.stringify({ step, status: response.status }));
  return response.text === undefined ? undefined : JSON.parse(response.text);
}

export async function run(client) {
  const get = async (step, path, headers = KEY) => report(step, await client.get(`${API}/${path}`, headers));
  const post = async (step, path, fields, file) =>
    report(step, await client.postForm(`${API}/${path}`, KEY, fields, file));

  const first = (await post("create_file", "sign", folio(), PDF)).data.folioId;
  const document = { name: basename(PDF), content: readFileSync(PDF, "base64") };
  const base64 = { ...folio("base64"), documentsBase64: JSON.stringify([document]) };
  const second = (await post("create_base64", "sign", base64)).data.folioId;
  const both = JSON.stringify([first, second]);
  const { documentId } = (await get("read_one", `consult?folioId=${first}`)).data.documents[0];
  report("read_several_json", await client.postJson(`${API}/consult`, KEY, { folioId: [first, second] }));
  await post("read_several_form", "consult", { folios: both });
  await post("resend", "forward_emails", { folioId: first, signers: ENV.CORRECTIONS, urlReturn: ENV.RETURN_URL });
  await get("download_get", `download?documentId=${documentId}`);
  await post("download_post", "download/", { documentId });
  const bulk = { foliosIds: both, signer: ENV.BULK_SIGNER, urlReturn: ENV.RETURN_URL };
  const { massiveId } = (await post("bulk_start", "massive_sign", bulk)).data;
  await get("bulk_read", `consult_massive_sign?massiveId=${massiveId}`);
  await post("cancel", "cancel", { folios: JSON.stringify([second]), observation: ENV.OBSERVATION });
  const sign = { folioId: first, documentNumber: ENV.NUMBER, action: "sign" };
  report("sign", await client.postJson(`${ENV.BASE}/sandbox/signers`, KEY, sign));
  await get("download_signed", `download?documentId=${documentId}`);
  await get("evidence", `evidence?folioId=${first}`);
  await get("evidence_pdf", `evidence?folioId=${first}&format=pdf`);
  await get("no_key", `consult?folioId=${first}`, {});
  await get("wrong_key", `consult?folioId=${first}`, WRONG_KEY);
  await post("create_large", "sign", folio(), ENV.LARGE_PDF);
  const direct = `${ENV.DIRECT_BASE}/api/integrations/sign`;
  report("refused_large", await client.postForm(direct, WRONG_KEY, folio(), ENV.LARGE_PDF));
}
