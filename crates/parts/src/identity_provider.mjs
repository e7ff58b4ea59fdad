// An identity provider (OpenID Connect) for tests: panva's oidc-provider, with people, clients and keys as the file
// `settings.json` beside it says at the moment of each request. Arguments: the port, and the directory of packages.
import http from "node:http";
import fs from "node:fs";
import { join } from "node:path";
import { generateKeyPairSync } from "node:crypto";
import { pathToFileURL } from "node:url";

const [, , port, packages] = process.argv;
const { default: Provider } = await import(pathToFileURL(join(packages, "oidc-provider/lib/index.js")));
const issuer = `http://127.0.0.1:${port}`;

const KINDS = {
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
};
const made = new Map();
const key = ({ id, algorithm }) => {
  if (!made.has(id)) {
    const jwk = KINDS[algorithm]().privateKey.export({ format: "jwk" });
    made.set(id, { ...jwk, kid: id, alg: algorithm, use: "sig" });
  }
  return made.get(id);
};

const provider = (settings) => {
  const made = new Provider(issuer, {
    clients: settings.clients.map((client) => ({ id_token_signed_response_alg: settings.key.algorithm, ...client })),
    jwks: { keys: [key(settings.key)] },
    enabledJWA: { idTokenSigningAlgValues: Object.keys(KINDS) },
    cookies: { keys: ["tests"] },
    conformIdTokenClaims: !settings.claims_in_token,
    claims: { openid: ["sub", "amr"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    scopes: ["openid", "email", "profile", "groups"],
    features: { devInteractions: { enabled: false }, resourceIndicators: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    findAccount: (_, id) => {
      const person = Object.values(settings.people).find((one) => one.sub === id);
      return person && { accountId: id, claims: () => ({ ...person.claims, sub: id }) };
    },
    // Nobody is asked to consent to what the company's own application sees.
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(ctx.oidc.params.scope);
      await grant.save();
      return grant;
    },
  });
  // The code's exchange sees the session's amr; claims of the account do not hide it.
  return { made, handle: made.callback() };
};

let text = "";
let current = null;
const settle = () => {
  const now = fs.readFileSync("settings.json", "utf8");
  if (now !== text) {
    current = { settings: JSON.parse(now), ...provider(JSON.parse(now)) };
    text = now;
  }
  return current;
};

const page = (uid, error) => `<!doctype html><html lang="es"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Cuenta de la empresa</title><body><h1>Cuenta de la empresa</h1>${error ? `<p id="error">${error}</p>` : ""}
<form method="post" action="/interaction/${uid}"><p><label for="login">Usuario</label> <input id="login" name="login"></p>
<p><label for="word">Clave</label> <input id="word" name="word" type="password"></p><p><button>Ingresar</button></p>
<p><button name="cancel" value="yes">Cancelar</button></p></form></body></html>`;

const body = async (request) => {
  let text = "";
  for await (const part of request) text += part;
  return new URLSearchParams(text);
};

const interact = async (request, response, { made, settings }) => {
  const uid = request.url.split("/")[2];
  const show = (status, error) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
    response.end(page(uid, error));
  };
  if (request.method === "GET") return show(200);
  const form = await body(request);
  if (form.get("cancel")) {
    return made.interactionFinished(request, response, { error: "access_denied" });
  }
  const person = settings.people[form.get("login")];
  if (!person || form.get("word") !== "clave") return show(422, "No es correcto.");
  return made.interactionFinished(request, response, {
    login: { accountId: person.sub, amr: person.amr, remember: false },
  });
};

http.createServer((request, response) => {
  const now = settle();
  const done = request.url.startsWith("/interaction/") ? interact(request, response, now) : now.handle(request, response);
  Promise.resolve(done).catch((error) => {
    console.error(error);
    response.writeHead(500).end(String(error));
  });
}).listen(Number(port), "127.0.0.1");
