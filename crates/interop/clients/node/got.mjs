// Node: got, with FormData of the language.

import { openAsBlob } from "node:fs";
import http from "node:http";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { API, KEY, PDF, folio, load, report, run } from "./steps.mjs";

const got = load("got").default;

const client = got.extend({
  agent: { http: new http.Agent({ keepAlive: true }) },
  throwHttpErrors: false,
  retry: { limit: 0 },
});

async function answer(request) {
  const response = await request;
  const status = response.statusCode;
  return response.headers["content-type"].startsWith("application/json")
    ? { status, text: await request.text() }
    : { status, bytes: Buffer.from(response.rawBody) };
}

async function form(fields, file) {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  if (file) data.append("documents[]", await openAsBlob(file, { type: "application/pdf" }), basename(file));
  return data;
}

// When got ends a form early, because the response is there, the reader of the form goes on and throws.
process.on("uncaughtException", (error) => {
  if (error.code !== "ERR_INVALID_STATE") throw error;
});

await run({
  get: (url, headers) => answer(client.get(url, { headers })),
  postJson: (url, headers, json) => answer(client.post(url, { headers, json })),
  postForm: async (url, headers, fields, file) =>
    answer(client.post(url, { headers, body: await form(fields, file) })),
});

// A stream has no length: it goes in chunks.
const whole = new Response(await form(folio(), PDF));
const headers = { ...KEY, "content-type": whole.headers.get("content-type") };
const body = Readable.from([Buffer.from(await whole.arrayBuffer())]);
report("create_chunked", await answer(client.post(`${API}/sign`, { headers, body })));
