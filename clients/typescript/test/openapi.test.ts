/** The client and the OpenAPI document of the installation say the same: every operation, field and value. */

import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript";
import { Firmeza, type NewFolio } from "../firmeza.ts";
import { base64, fields, type Json, maria, openapi, pdf } from "./support.ts";

/** The method of each operation. */
const METHODS: Record<string, keyof Firmeza> = {
  createFolio: "create",
  readFolio: "read",
  readFolios: "readSeveral",
  resendEmails: "resend",
  downloadDocument: "download",
  cancelFolios: "cancel",
  startBulk: "startBulk",
  readBulk: "readBulk",
  readEvidence: "evidence",
  readEvidenceReport: "evidenceReport",
};
/** The same operation as another. */
const LEFT_OUT_OPERATIONS = ["downloadDocumentByForm"];
/** For caches and partial downloads. */
const LEFT_OUT_HEADERS = ["Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"];
/** Become a `FirmezaError`. */
const ERRORS = ["ErrorA", "ErrorB", "ErrorMessage"];

/** What a value may be: words such as `string` and `"1"`, one kind of list, and one kind of object. */
interface Shape {
  words: string[];
  items?: Shape;
  members?: Record<string, { optional: boolean; shape: Shape }>;
}

function either(shapes: Shape[]): Shape {
  const all: Shape = { words: [...new Set(shapes.flatMap((shape) => shape.words))].sort() };
  const items = shapes.map((shape) => shape.items).filter((shape) => shape !== undefined);
  if (items.length > 0) all.items = either(items);
  const objects = shapes.map((shape) => shape.members).filter((members) => members !== undefined);
  const names = [...new Set(objects.flatMap((members) => Object.keys(members)))].sort();
  if (objects.length > 0) all.members = {};
  for (const name of names) {
    const found = objects.flatMap((members) => members[name] ?? []);
    const optional = found.length < objects.length || found.some((member) => member.optional);
    all.members![name] = { optional, shape: either(found.map((member) => member.shape)) };
  }
  return all;
}

function shapeOfSchema(schema: Json): Shape {
  if (schema.$ref) return shapeOfSchema(openapi.components.schemas[schema.$ref.split("/").pop()]);
  if (schema.oneOf) return either(schema.oneOf.map(shapeOfSchema));
  if (Array.isArray(schema.type)) return either(schema.type.map((type: string) => shapeOfSchema({ ...schema, type })));
  if (schema.enum) return { words: schema.enum.map((value: string) => JSON.stringify(value)).sort() };
  if (schema.type === "array") return { words: [], items: shapeOfSchema(schema.items) };
  if (schema.type !== "object") return { words: [schema.type === "integer" ? "number" : schema.type] };
  if (!schema.properties) return { words: ["object"] };
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const optional = !schema.required?.includes(name);
    return [name, { optional, shape: shapeOfSchema(member) }];
  });
  return either([{ words: [], members: Object.fromEntries(members) }]);
}

const file = new URL("../firmeza.ts", import.meta.url).pathname;
const program = ts.createProgram([file], {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
});
const checker = program.getTypeChecker();
const source = program.getSourceFile(file)!;
const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(source)!).map((symbol) => [symbol.name, symbol]),
);

function shapeOfType(type: ts.Type): Shape {
  // An optional member may be absent; that is said elsewhere.
  if (type.flags & ts.TypeFlags.Undefined) return { words: [] };
  if (type.flags & ts.TypeFlags.Boolean) return { words: ["boolean"] };
  if (type.isUnion()) return either(type.types.map(shapeOfType));
  if (checker.isArrayType(type)) {
    return { words: [], items: shapeOfType(checker.getTypeArguments(type as ts.TypeReference)[0]!) };
  }
  if (type.symbol?.name === "Uint8Array") return { words: ["bytes"] };
  if (!(type.flags & ts.TypeFlags.Object)) return { words: [checker.typeToString(type)] };
  if (checker.getIndexInfosOfType(type).length > 0) return { words: ["object"] };
  const members = checker.getPropertiesOfType(type).map((symbol) => {
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    return [symbol.name, { optional, shape: shapeOfType(checker.getTypeOfSymbol(symbol)) }];
  });
  return either([{ words: [], members: Object.fromEntries(members) }]);
}

function declared(name: string): ts.Type {
  const symbol = exported.get(name);
  assert(symbol, `firmeza.ts has no ${name}`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

/** What a method resolves to. */
function resolved(method: string): Shape {
  const symbol = checker.getPropertyOfType(declared("Firmeza"), method);
  assert(symbol, `Firmeza has no ${method}`);
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  return shapeOfType(checker.getAwaitedType(signature!.getReturnType())!);
}

const operations: { path: string; verb: string; operation: Json }[] = Object.entries(openapi.paths).flatMap(
  ([path, verbs]) => Object.entries(verbs as Json).map(([verb, operation]) => ({ path, verb, operation })),
);

test("every schema has a type of the same name and shape", () => {
  for (const [name, schema] of Object.entries(openapi.components.schemas)) {
    if (name.endsWith("Response") || ERRORS.includes(name)) continue;
    assert.deepEqual(shapeOfType(declared(name)), shapeOfSchema(schema), name);
  }
  const create = operations.find(({ operation }) => operation.operationId === "createFolio")!.operation;
  const { properties } = create.requestBody.content["multipart/form-data"].schema;
  assert.deepEqual(shapeOfType(declared("Base64Document")), shapeOfSchema(properties.documentsBase64.contentSchema.items));
});

test("every member of an error is a member of FirmezaError", () => {
  const members = checker.getPropertiesOfType(declared("FirmezaError")).map((symbol) => symbol.name);
  for (const name of ERRORS) {
    for (const member of Object.keys(openapi.components.schemas[name].properties)) {
      // Those two are the form itself.
      if (!["success", "error"].includes(member)) assert(members.includes(member), `${name}.${member}`);
    }
  }
});

test("every operation has a method that returns what the service answers", () => {
  const described = operations.map(({ operation }) => operation.operationId as string);
  assert.deepEqual(described.sort(), [...Object.keys(METHODS), ...LEFT_OUT_OPERATIONS].sort());
  for (const { operation } of operations) {
    const method = METHODS[operation.operationId];
    if (!method) continue;
    assert.deepEqual(resolved(method), answer(operation.responses["200"]), method);
  }
});

/** The part of a successful response that a method returns: the bytes of a file, or the data. */
function answer({ headers, content }: Json): Shape {
  if (headers["Content-Disposition"]) return { words: ["bytes"] };
  const name = content["application/json"].schema.$ref.split("/").pop();
  const { success, status, message, data, ...others } = openapi.components.schemas[name].properties;
  assert(success && status);
  assert.deepEqual(others, {}, `${name} has members that the client does not know`);
  return shapeOfSchema(data ?? message);
}

test("every request is sent as described, with every field", async () => {
  const sent = new Map<string, Set<string>>();
  const recording = new Firmeza({
    url: "http://localhost",
    apiKey: "k",
    fetch: async (input, init) => {
      const { pathname, searchParams } = new URL(String(input));
      const { method, body, headers } = { body: undefined, ...init };
      const names = sent.get(`${method} ${pathname}`) ?? new Set();
      for (const name of searchParams.keys()) names.add(`query ${name}`);
      for (const name of new Headers(headers).keys()) names.add(`header ${name}`);
      if (body instanceof FormData) for (const name of body.keys()) names.add(`field ${name}`);
      else if (body) for (const name of Object.keys(JSON.parse(String(body)))) names.add(`field ${name}`);
      sent.set(`${method} ${pathname}`, names);
      return Response.json({ message: "", data: null });
    },
  });
  const options = { idempotencyKey: "k" };
  const both: NewFolio[] = [
    { ...fields, language: "pt", documents: [{ name: "a.pdf", content: pdf }] },
    { ...fields, documentsBase64: [{ name: "a.pdf", content: base64 }] },
  ];
  for (const folio of both) await recording.create(folio, options);
  await recording.read("f");
  await recording.readSeveral(["f"], options);
  await recording.resend({ folioId: "f", signers: [{ documentNumber: "1" }], urlReturn: "u" }, options);
  await recording.download("d");
  await recording.cancel(["f"], "o", options);
  await recording.startBulk({ foliosIds: ["f"], signer: maria, urlReturn: "u" }, options);
  await recording.readBulk("m");
  await recording.evidence("f", { part: 1 });
  await recording.evidenceReport("f", { part: 1 });

  for (const { path, verb, operation } of operations) {
    if (LEFT_OUT_OPERATIONS.includes(operation.operationId)) continue;
    const content = operation.requestBody?.content ?? {};
    const body = content["application/json"] ?? content["multipart/form-data"];
    const expected = new Set(["header x-api-key"]);
    if (content["application/json"]) expected.add("header content-type");
    for (const name of Object.keys(body?.schema.properties ?? {})) expected.add(`field ${name}`);
    for (const { name, in: place } of operation.parameters ?? []) {
      if (!LEFT_OUT_HEADERS.includes(name)) expected.add(`${place} ${place === "header" ? name.toLowerCase() : name}`);
    }
    assert.deepEqual(sent.get(`${verb.toUpperCase()} ${path}`), expected, operation.operationId);
  }
});
