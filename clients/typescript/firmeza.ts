/**
 * A thin client for the API of Firmeza. It has no dependencies: it uses `fetch`, `FormData` and Web Crypto of Node 20 or
 * later, Deno, Bun, a worker or a browser.
 *
 * A response of the service that is not a success is thrown as a `FirmezaError`. What `fetch` throws (no connection, no
 * answer in time) passes through unchanged. Nothing is tried again by itself: see `RequestOptions.idempotencyKey`.
 */

/**
 * State of a folio:
 * - `"1"` FIRMADO: every signer has signed
 * - `"2"` PENDIENTE: signatures are missing
 * - `"3"` RECHAZADO FIRMANTE: a signer rejected it
 * - `"4"` FIRMADO Y APROBADO: a supervisor approved the signed folio
 * - `"5"` RECHAZADO GESTIÓN / ADMINISTRADOR: the company rejected the signed folio
 * - `"6"` ANULADO: the company cancelled it
 */
export type FolioState = "1" | "2" | "3" | "4" | "5" | "6";

/**
 * State of a signer:
 * - `"1"` FIRMADO: has signed
 * - `"2"` PENDIENTE: has neither signed nor rejected
 * - `"3"` RECHAZADO FIRMANTE: rejected the folio
 */
export type SignerState = "1" | "2" | "3";

/**
 * How signers receive their one-time code:
 * - `"1"` OTP Básico: by email
 * - `"2"` OTP Móvil Verificado: by SMS
 */
export type SignatureType = "1" | "2";

/** Spanish, English or Portuguese. */
export type Language = "es" | "en" | "pt";

/** Kind of identity document: `CC` citizen's card, `CE` foreigner's card, `NIT` tax number, `TI` minor's card. */
export type DocumentType = "CC" | "CE" | "NIT" | "TI";

/** 32 lowercase hexadecimal characters. */
export type FolioId = string;
/** 32 lowercase hexadecimal characters. */
export type DocumentId = string;
/** 32 lowercase hexadecimal characters. */
export type MassiveId = string;

export interface FolioData {
  folioId: FolioId;
  name: string;
  /** Shown to the signers. */
  message: string;
  /** Remarks, such as the reason of a cancellation or a rejection. */
  observation: string | null;
  /** `YYYY-MM-DD HH:MM:SS`, in the installation's time zone. */
  dateCreate: string;
  /** `YYYY-MM-DD HH:MM:SS`. */
  dateLastUpdate: string | null;
  state: FolioState;
  /** The state in words, such as `PENDIENTE`. */
  stateName: string;
  /** `"1"`: an administrator dropped the folio. It can be read; its documents cannot be downloaded. */
  flag_drop: "0" | "1";
  signatureType: SignatureType;
  signatureTypeName: string;
}

export interface Document {
  documentId: DocumentId;
  /** The file name. */
  name: string;
  /** `YYYY-MM-DD HH:MM:SS`. */
  dateCreate: string;
}

export interface Signer {
  name: string;
  documentType: DocumentType;
  /** Identifies the signer within the folio. */
  documentNumber: string;
  email: string;
  cellPhoneNumber: string;
  folioState: SignerState;
  /** The state in words, such as `PENDIENTE`. */
  folioStateName: string;
  /** The IP address of the signature; `null` before it. */
  ipSignatureAddress: string | null;
  /** When the signer last acted, `YYYY-MM-DD HH:MM:SS`. */
  dateLastUpdate: string | null;
}

export interface FolioDetail {
  folioData: FolioData;
  documents: Document[];
  signers: Signer[];
}

/** One element of `readSeveral`. */
export interface FolioEntry {
  success: boolean;
  /** The HTTP status that `read` would give for this folio alone. */
  status: number;
  message: string;
  /** The identifier as it was sent. */
  folioId: string;
  /** `null` if this folio could not be read. */
  data: FolioDetail | null;
}

export interface CreatedFolio {
  folioId: FolioId;
  /** The address where the folio is signed. With `sendEmail: false` you send it to the signers. */
  signProcessUrl: string;
}

export interface CancelDetail {
  /** The identifier as it was sent. */
  folioId: string;
  /** `FAILED`: not cancelled; `message` says why. */
  status: "CANCELLED" | "FAILED";
  message: string;
}

export interface CancelSummary {
  cancelledFolios: number;
  failedFolios: number;
  details: CancelDetail[];
}

export interface StartedBulk {
  /** The address where the signer signs every folio. It works for 24 hours. */
  signProcessMassiveUrl: string;
  massiveId: MassiveId;
}

/** What is in the file that `Firmeza.evidence` downloads. */
export interface Evidence {
  /** What the installation knows of the folio. */
  evidence: Record<string, unknown>;
  seal: EvidenceSeal;
}

export interface EvidenceSeal {
  /** SHA-256 of the compact JSON text of `evidence`. */
  sha256: string;
  /** The installation's CMS signature, with a timestamp, in base64. */
  cms: string;
}

/** A person who is asked to sign. */
export interface SignerInput {
  name: string;
  email: string;
  documentType: DocumentType;
  /** Identifies the signer within the folio. */
  documentNumber: string;
  /** 7 to 15 digits, with an optional plus in front. */
  cellPhoneNumber: string;
}

/** A signer to write to again. A contact that is given replaces the old one; one that is left out stays. */
export interface SignerCorrection {
  documentNumber: string;
  email?: string;
  cellPhoneNumber?: string;
}

/** A problem with one field of a request. */
export interface Fault {
  field: string;
  message: string;
}

/** A PDF as bytes. */
export interface FileDocument {
  /** The file name. */
  name: string;
  content: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
}

/** A PDF as base64 text. */
export interface Base64Document {
  /** The file name. */
  name: string;
  content: string;
}

/** A folio to create. Its documents are either bytes (`documents`) or base64 (`documentsBase64`). */
export type NewFolio = NewFolioFields &
  (
    | { documents: FileDocument[]; documentsBase64?: undefined }
    | { documentsBase64: Base64Document[]; documents?: undefined }
  );

export interface NewFolioFields {
  /** 1 to 10. */
  signers: SignerInput[];
  /** At most 100 characters. */
  folioName: string;
  /** Shown to the signers; at most 500 characters. */
  folioMessage: string;
  signatureType: SignatureType;
  /** Where signers return to after signing: http, https, or the scheme of an app. */
  urlReturn: string;
  /** `false`: the service writes to nobody, and you send `signProcessUrl` to the signers. */
  sendEmail: boolean;
  /** Of the signature sheet, and of messages to signers who choose no other; the company's by default. */
  language?: Language;
}

/** Signers to write to again. */
export interface Resend {
  folioId: FolioId;
  signers: SignerCorrection[];
  /** At most 500 characters. */
  urlReturn: string;
}

export interface NewBulk {
  /** At most 50, all of them pending. */
  foliosIds: FolioId[];
  /** Must be a signer of every folio, by document type and number. */
  signer: SignerInput;
  /** At most 500 characters. */
  urlReturn: string;
}

/**
 * - `folio.created`, `folio.resent`, `folio.rejected`, `folio.cancelled`, `folio.dropped`: as the name says
 * - `folio.signer_signed`: a signer signed, also the last one
 * - `folio.signed`: the last signer signed
 * - `folio.approved`, `folio.disapproved`: the company decided about a signed folio
 * - `folio.email_bounced`, `folio.email_complained`: an email came back, or its recipient reported it as unwanted
 */
export type FolioEventType =
  | "folio.created"
  | "folio.resent"
  | "folio.signer_signed"
  | "folio.signed"
  | "folio.rejected"
  | "folio.cancelled"
  | "folio.approved"
  | "folio.disapproved"
  | "folio.dropped"
  | "folio.email_bounced"
  | "folio.email_complained";

/** The body of a webhook. Newer installations may send types that are not listed here: ignore those. */
export type WebhookEvent = FolioEvent | TestEvent;

export interface FolioEvent {
  type: FolioEventType;
  /** When it happened, in UTC (RFC 3339). */
  timestamp: string;
  data: FolioEventData;
}

/** The folio at the time of the first attempt, as `read` shows it. */
export interface FolioEventData extends FolioDetail {
  /** The event's number in the history of the folio. It gives the order of webhooks that overtake each other. */
  event: number;
}

/** The test that the panel sends. */
export interface TestEvent {
  type: "webhook.test";
  timestamp: string;
  data: TestEventData;
}

export interface TestEventData {
  message: string;
}

/** A response of the service that is not a success. `message` says what happened, in Spanish. */
export class FirmezaError extends Error {
  override readonly name = "FirmezaError";
  /** The HTTP status. */
  readonly status: number;
  /** The problems with single fields, if the service named them. */
  readonly errors: Fault[];
  /** To quote to the operator of the installation. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the same request can succeed (429 and 503). */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, errors: Fault[], requestId?: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** A webhook that was not sent by the installation, or is too old. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

export interface FirmezaOptions {
  /** The address of the installation, such as `https://firmas.example.com`. */
  url: string;
  /** As it was shown when it was made: `firmeza_…`. */
  apiKey: string;
  /** How long a request may take, in milliseconds; 60 seconds by default. 0 is no limit. */
  timeout?: number;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Ends the request early. */
  signal?: AbortSignal;
}

export interface PostOptions extends RequestOptions {
  /**
   * Up to 255 visible characters of your own choice, for example a UUID. After a lost answer, repeat the same request
   * with the same key: nothing is done twice, and the first answer comes again. Keys are remembered for 24 hours.
   */
  idempotencyKey?: string;
}

export interface EvidenceOptions extends RequestOptions {
  /** The part of a history that does not fit in one file, from 1. */
  part?: number;
}

const DEFAULT_TIMEOUT = 60_000;

/** The API of one installation, with one key. */
export class Firmeza {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #timeout: number;
  readonly #fetch: typeof fetch;

  constructor(options: FirmezaOptions) {
    this.#url = options.url.replace(/\/+$/, "");
    this.#apiKey = options.apiKey;
    this.#timeout = options.timeout ?? DEFAULT_TIMEOUT;
    // `fetch` of a browser must not be called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** Creates a folio in state PENDIENTE and, with `sendEmail`, writes to its signers. */
  async create(folio: NewFolio, options?: PostOptions): Promise<CreatedFolio> {
    const form = new FormData();
    form.set("signers", JSON.stringify(folio.signers));
    form.set("folioName", folio.folioName);
    form.set("folioMessage", folio.folioMessage);
    form.set("signatureType", folio.signatureType);
    form.set("urlReturn", folio.urlReturn);
    form.set("sendEmail", String(folio.sendEmail));
    if (folio.language !== undefined) form.set("language", folio.language);
    if (folio.documentsBase64) {
      form.set("fileType", "base64");
      form.set("documentsBase64", JSON.stringify(folio.documentsBase64));
    } else {
      form.set("fileType", "file");
      for (const { name, content } of folio.documents) {
        form.append("documents[]", new Blob([content], { type: "application/pdf" }), name);
      }
    }
    return this.#data(await this.#post("sign", form, options));
  }

  /** Reads a folio with its documents and signers. */
  async read(folioId: FolioId, options?: RequestOptions): Promise<FolioDetail> {
    return this.#data(await this.#get("consult", { folioId }, options));
  }

  /** Reads up to 1000 folios. Each is answered on its own, in the order of the request. */
  async readSeveral(folioIds: FolioId[], options?: PostOptions): Promise<FolioEntry[]> {
    return this.#data(await this.#post("consult", JSON.stringify({ folioId: folioIds }), options));
  }

  /** Writes to signers again, with the same link, and corrects their contacts. Returns the message of the service. */
  async resend(resend: Resend, options?: PostOptions): Promise<string> {
    const form = new FormData();
    form.set("folioId", resend.folioId);
    form.set("signers", JSON.stringify(resend.signers));
    form.set("urlReturn", resend.urlReturn);
    const response = await this.#post("forward_emails", form, options);
    return ((await response.json()) as { message: string }).message;
  }

  /** Downloads a document as a PDF, with the signatures so far. */
  async download(documentId: DocumentId, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>> {
    return bytes(await this.#get("download", { documentId }, options));
  }

  /**
   * Cancels up to 50 folios, which cannot be undone. Each is decided on its own: see `details`.
   *
   * @param observation The reason, 10 to 500 characters.
   */
  async cancel(folioIds: FolioId[], observation: string, options?: PostOptions): Promise<CancelSummary> {
    const form = new FormData();
    form.set("folios", JSON.stringify(folioIds));
    form.set("observation", observation);
    return this.#data(await this.#post("cancel", form, options));
  }

  /** Makes one address where one signer signs many folios. If one folio does not allow it, nothing is made. */
  async startBulk(bulk: NewBulk, options?: PostOptions): Promise<StartedBulk> {
    const form = new FormData();
    form.set("foliosIds", JSON.stringify(bulk.foliosIds));
    form.set("signer", JSON.stringify([bulk.signer]));
    form.set("urlReturn", bulk.urlReturn);
    return this.#data(await this.#post("massive_sign", form, options));
  }

  /** Reads the folios of a bulk signature, in their order. */
  async readBulk(massiveId: MassiveId, options?: RequestOptions): Promise<FolioDetail[]> {
    return this.#data(await this.#get("consult_massive_sign", { massiveId }, options));
  }

  /**
   * Downloads the sealed evidence of a folio: JSON in UTF-8, of the type `Evidence`. Keep the bytes as they are;
   * `firmeza verify` refuses a file that another program wrote anew.
   */
  async evidence(folioId: FolioId, options?: EvidenceOptions): Promise<Uint8Array<ArrayBuffer>> {
    return bytes(await this.#get("evidence", { folioId, ...part(options) }, options));
  }

  /** Downloads the evidence as a PDF for people, with the evidence itself attached. */
  async evidenceReport(folioId: FolioId, options?: EvidenceOptions): Promise<Uint8Array<ArrayBuffer>> {
    return bytes(await this.#get("evidence_report", { folioId, ...part(options) }, options));
  }

  async #data<T>(response: Response): Promise<T> {
    return ((await response.json()) as { data: T }).data;
  }

  #get(operation: string, query: Record<string, string>, options?: RequestOptions): Promise<Response> {
    return this.#send(`${operation}?${new URLSearchParams(query)}`, { method: "GET" }, {}, options);
  }

  #post(operation: string, body: FormData | string, options?: PostOptions): Promise<Response> {
    const headers: Record<string, string> = {};
    if (typeof body === "string") headers["content-type"] = "application/json";
    if (options?.idempotencyKey !== undefined) headers["idempotency-key"] = options.idempotencyKey;
    return this.#send(operation, { method: "POST", body }, headers, options);
  }

  async #send(
    target: string,
    init: RequestInit,
    headers: Record<string, string>,
    options?: RequestOptions,
  ): Promise<Response> {
    const signals = [options?.signal, this.#timeout > 0 ? AbortSignal.timeout(this.#timeout) : undefined];
    const response = await this.#fetch(`${this.#url}/api/integrations/${target}`, {
      ...init,
      headers: { ...headers, "x-api-key": `Bearer ${this.#apiKey}` },
      signal: AbortSignal.any(signals.filter((signal) => signal !== undefined)),
      // The service never redirects, and `fetch` would show the key to another host.
      redirect: "error",
    });
    if (!response.ok) throw await failure(response);
    return response;
  }
}

function part(options?: EvidenceOptions): { part?: string } {
  return options?.part === undefined ? {} : { part: String(options.part) };
}

async function bytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

/** The error in a response. Operations differ in where the message is; a proxy may have answered without JSON. */
async function failure(response: Response): Promise<FirmezaError> {
  const body = await response.text();
  let said: { message?: string; error?: { message?: string }; errors?: Fault[]; requestId?: string } = {};
  try {
    said = Object(JSON.parse(body));
  } catch {
    // Not JSON: the status says what is known.
  }
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new FirmezaError(
    response.status,
    said.message ?? said.error?.message ?? `HTTP ${response.status} ${response.statusText}`.trim(),
    said.errors ?? [],
    said.requestId ?? response.headers.get("x-request-id") ?? undefined,
    Number.isFinite(seconds) ? seconds : undefined,
  );
}

export interface WebhookOptions {
  /** How far the timestamp may be from the clock, in seconds; five minutes by default. */
  tolerance?: number;
  /** The time to compare with, in seconds since 1970; the clock by default. */
  now?: number;
}

const WEBHOOK_TOLERANCE = 5 * 60;

/**
 * Verifies a webhook by the Standard Webhooks scheme and returns its event.
 *
 * @param body The body exactly as it arrived, before any JSON parser.
 * @param headers The headers of the request.
 * @param secret `whsec_…`, as the panel showed it. Several while a secret is replaced.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string | string[],
  options: WebhookOptions = {},
): Promise<WebhookEvent> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  const now = options.now ?? Date.now() / 1000;
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookVerificationError("webhook-timestamp is not a number");
  }
  if (Math.abs(now - Number(timestamp)) > (options.tolerance ?? WEBHOOK_TOLERANCE)) {
    throw new WebhookVerificationError("webhook-timestamp is too far from the clock");
  }
  const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = new Uint8Array(await new Blob([`${id}.${timestamp}.`, content]).arrayBuffer());
  const offered = signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => fromBase64(signature.slice("v1,".length)))
    .filter((signature) => signature !== undefined);
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const key = await hmacKey(one);
    for (const signature of offered) {
      // Web Crypto compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) {
        return JSON.parse(new TextDecoder().decode(content)) as WebhookEvent;
      }
    }
  }
  throw new WebhookVerificationError("no signature of webhook-signature fits");
}

function header(headers: Headers | Record<string, string | string[] | undefined>, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof found !== "string" || found === "") {
    throw new WebhookVerificationError(`${name} is missing`);
  }
  return found;
}

async function hmacKey(secret: string): Promise<CryptoKey> {
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  // An empty key would let anybody sign.
  if (!key?.length) throw new TypeError("The secret must be whsec_ and base64");
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
