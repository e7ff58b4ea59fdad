// Node: axios, with forms of form-data.

import http from "node:http";
import { createReadStream, readFileSync } from "node:fs";
import { API, KEY, PDF, folio, load, report, run } from "./steps.mjs";

const axios = load("axios");
const FormData = load("form-data");

// Without `maxBodyLength: Infinity`, with which axios does not end the requests of forms that have texts only.
const client = axios.create({
  httpAgent: new http.Agent({ keepAlive: true }),
  proxy: false,
  responseType: "arraybuffer",
  validateStatus: () => true,
});

function answer({ status, headers, data }) {
  return headers["content-type"].startsWith("application/json")
    ? { status, text: data.toString("utf8") }
    : { status, bytes: data };
}

function form(fields, file) {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  if (file) data.append("documents[]", createReadStream(file));
  return data;
}

const post = async (url, headers, data) => answer(await client.post(url, data, { headers }));

await run({
  get: async (url, headers) => answer(await client.get(url, { headers })),
  postJson: post,
  postForm: (url, headers, fields, file) => post(url, headers, form(fields, file)),
});

// Bytes have no name of their own, as a stream of a file has.
const unnamed = form(folio());
unnamed.append("documents[]", readFileSync(PDF), { contentType: "application/pdf" });
report("create_without_file_name", await post(`${API}/sign`, KEY, unnamed));
