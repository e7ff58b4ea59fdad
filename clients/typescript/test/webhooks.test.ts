/** Webhooks: the published example, and one that a running installation sent. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { verifyWebhook, WebhookVerificationError } from "../firmeza.ts";
import { given } from "./support.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const body = '{"test": 2432232314}';
const now = 1614265330;
const headers = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": String(now),
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

test("the published example is verified", async () => {
  const expected = { test: 2432232314 };
  assert.deepEqual(await verifyWebhook(body, headers, secret, { now }), expected);
  assert.deepEqual(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { now }), expected);
  const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  assert.deepEqual(await verifyWebhook(body, capitals, [other, secret], { now }), expected);
  const rotated = { ...headers, "webhook-signature": `v1,AAAA v2,x ${headers["webhook-signature"]}` };
  assert.deepEqual(await verifyWebhook(body, rotated, secret, { now }), expected);
  assert.deepEqual(await verifyWebhook(body, headers, secret, { now: now + 300 }), expected);
});

test("what was changed, is old or lacks a header is refused", async () => {
  const attempts: [string, Record<string, string>, string, number][] = [
    [body.replace("4}", "5}"), headers, secret, now],
    [body, { ...headers, "webhook-id": "msg_other" }, secret, now],
    [body, { ...headers, "webhook-timestamp": String(now + 1) }, secret, now],
    [body, { ...headers, "webhook-timestamp": "soon" }, secret, now],
    [body, { ...headers, "webhook-signature": "v1,%%% v1a,AAAA" }, secret, now],
    [body, { ...headers, "webhook-signature": "" }, secret, now],
    [body, {}, secret, now],
    [body, headers, other, now],
    [body, headers, secret, now + 301],
    [body, headers, secret, now - 301],
  ];
  for (const [text, sent, key, at] of attempts) {
    await assert.rejects(verifyWebhook(text, sent, key, { now: at }), WebhookVerificationError);
  }
  await assert.rejects(verifyWebhook(body, headers, secret), WebhookVerificationError, "the clock is used by default");
  await assert.rejects(verifyWebhook(body, headers, "whsec_", { now }), TypeError);
});

test("a webhook of a running installation is verified", async () => {
  const sent = JSON.parse(readFileSync(given("FIRMEZA_TEST_WEBHOOK"), "utf8"));
  const event = await verifyWebhook(sent.body, sent.headers, sent.secret, { now: sent.now });
  assert(event.type !== "webhook.test");
  assert.equal(event.type, "folio.created");
  assert.equal(event.data.folioData.state, "2");
  assert.equal(event.data.event, 1);
});
