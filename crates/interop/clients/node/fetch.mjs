// Node: its own fetch (undici), with FormData.

import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { API, KEY, PDF, folio, report, run } from "./steps.mjs";

async function answer(response) {
  const status = response.status;
  return response.headers.get("content-type").startsWith("application/json")
    ? { status, text: await response.text() }
    : { status, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function form(fields, file, name = file && basename(file)) {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  if (file) data.append("documents[]", await openAsBlob(file, { type: "application/pdf" }), name);
  return data;
}

async function post(url, headers, body, more) {
  return answer(await fetch(url, { method: "POST", headers, body, ...more }));
}

await run({
  get: async (url, headers) => answer(await fetch(url, { headers })),
  postJson: (url, headers, value) =>
    post(url, { ...headers, "content-type": "application/json" }, JSON.stringify(value)),
  postForm: async (url, headers, fields, file) => post(url, headers, await form(fields, file)),
});

// A stream has no length: it goes in chunks.
const whole = new Response(await form(folio(), PDF));
const headers = { ...KEY, "content-type": whole.headers.get("content-type") };
report("create_chunked", await post(`${API}/sign`, headers, whole.body, { duplex: "half" }));
report("create_without_file_name", await post(`${API}/sign`, KEY, await form(folio(), PDF, "")));
