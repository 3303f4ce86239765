import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { CensusError } from "#storage/errors.ts";
import { isObject, type Json, parseJson } from "#storage/json.ts";
import { type CurrentKind, type DocumentHeader, headerFields, headerOf } from "#storage/origins/documents.ts";
import { HOUR, hourMask, hourOf, type Hours } from "#storage/origins/hours.ts";
import { fieldsOf, type ListedNode, listedNode, textOf } from "#storage/origins/origin-node.ts";
import type { OriginStatus } from "#storage/origins/status.ts";
import { formatTimestamp, type Timestamp } from "#storage/time.ts";
import type { Contact } from "../sources/contact.ts";
import { ask, posted, readObject, responseRows } from "../sources/server.ts";
import type { Pace } from "./pace.ts";

/** Seconds that an answer may take; a connection that is lost without notice would be waited for forever. */
const PATIENCE = 120;

/** Characters of an answer. */
const LONGEST = 256 * 1024 * 1024;

/** Names or hashes in one request, by what is read of them: documents need more memory there than their headers. */
const PAGES = { headers: 1000, facts: 100, catalog: 20, inputs: 100, lists: 500, reports: 100 } as const;

const entities = { facts: "factsets", catalog: "catalogs", inputs: "catalog-inputs" } as const;

type Query = readonly unknown[];

const isAny: Query = ["=", "node_state", "any"];
const isAnyReport: Query = ["=", "type", "any"];
const hour: Query = ["function", "to_string", "producer_timestamp", hourMask];

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const nodeFields =
  words(`certname facts_timestamp catalog_timestamp latest_report_hash deactivated expired expires_facts
  expires_facts_updated`);

/** The fields of a report with its resources as they were sent, which PuppetDB refuses. */
const reportFields = words(`hash certname puppet_version report_format configuration_version start_time end_time
  producer_timestamp receive_time transaction_uuid catalog_uuid code_id job_id cached_catalog_status producer environment
  status type noop noop_pending corrective_change metrics logs resource_events resources`);

/**
 * What is read of a server that is followed. A page is requested by names or hashes, so that commands which it stores meanwhile
 * do not shift it, and counts only when its array was complete. All are queries: nothing is changed there.
 */
export class OriginRequests {
  readonly #contact: Contact;
  readonly #status: OriginStatus;
  readonly #pace: Pace;
  readonly #signal: AbortSignal;
  /** Whether it returns the resources of reports; undefined until it was tried. */
  #hasResources: boolean | undefined;

  constructor(contact: Contact, status: OriginStatus, pace: Pace, signal: AbortSignal) {
    // Shorter than any server keeps an unused connection.
    const options = { keepAlive: true, maxSockets: 1, timeout: 5000 };
    this.#contact = { ...contact, agents: { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) } };
    this.#status = status;
    this.#pace = pace;
    this.#signal = signal;
  }

  /** The version of its program. */
  async version(): Promise<string | undefined> {
    const version = (await readObject(this.#contact, "/pdb/meta/v1/version", PATIENCE))?.["version"];
    return typeof version === "string" ? version : undefined;
  }

  /** How many commands it has accepted and not stored; undefined: it does not say. */
  async queueDepth(): Promise<number | undefined> {
    const status = (await readObject(this.#contact, "/status/v1/services/puppetdb-status", PATIENCE))?.["status"];
    const depth = status !== undefined && isObject(status) ? status["queue_depth"] : undefined;
    return typeof depth === "number" ? depth : undefined;
  }

  /** All nodes, whatever their state. */
  async nodes(): Promise<ListedNode[]> {
    const began = performance.now();
    const query = ["extract", nodeFields, isAny];
    const rows = await this.#rows("nodes", { query, include_facts_expiration: true });
    this.#pace.looked(performance.now() - began);
    const inputs = await this.#rows("catalog-inputs", {
      query: ["extract", ["certname", "producer_timestamp", "catalog_uuid"], isAny],
    });
    const inputsOf = new Map(
      inputs.map((row) => fieldsOf(row, "catalog input")).map((fields) => [textOf(fields, "certname"), fields]),
    );
    return rows.map((row) => listedNode(row, inputsOf));
  }

  /** What identifies the content of the fact sets or catalogs of nodes. */
  headers(kind: DocumentHeader["kind"], certnames: readonly string[]): AsyncGenerator<DocumentHeader[]> {
    return inPages(certnames, PAGES.headers, async (names) => {
      const query = ["extract", headerFields[kind], ["and", isAny, isOneOf("certname", names)]];
      return (await this.#rows(entities[kind], { query })).map((row) => headerOf(kind, row));
    });
  }

  /** Rows with the whole documents of nodes; fewer where some were deleted meanwhile. */
  documents(kind: CurrentKind, certnames: readonly string[]): AsyncGenerator<Json[]> {
    const parameters = kind === "facts" ? { include_package_inventory: true } : {};
    return inPages(certnames, PAGES[kind], async (names) =>
      this.#rows(entities[kind], { query: ["and", isAny, isOneOf("certname", names)], ...parameters }),
    );
  }

  /** Hashes of the reports of some nodes that were produced after a time. */
  async reportsAfter(certnames: readonly string[], time: Timestamp): Promise<string[]> {
    const condition = [isOneOf("certname", certnames), [">", "producer_timestamp", formatTimestamp(time)]];
    return this.#hashes(condition);
  }

  /** Hashes of the reports that were produced in some hours, which begin at these times. */
  async reportsIn(hours: readonly Timestamp[]): Promise<string[]> {
    return this.#hashes([["or", ...hours.map(isIn)]]);
  }

  async #hashes(conditions: readonly Query[]): Promise<string[]> {
    const rows = await this.#rows("reports", { query: ["extract", ["hash"], ["and", isAnyReport, ...conditions]] });
    return rows.map((row) => textOf(fieldsOf(row, "report"), "hash"));
  }

  /** Rows with whole reports. */
  reports(hashes: readonly string[]): AsyncGenerator<Json[]> {
    return inPages(hashes, PAGES.reports, async (page) => this.#reports(["and", isAnyReport, isOneOf("hash", page)]));
  }

  async #reports(query: Query): Promise<Json[]> {
    if (this.#hasResources === false) return this.#rows("reports", { query });
    try {
      const rows = await this.#rows("reports", { query: ["extract", reportFields, query] });
      this.#hasResources = true;
      return rows;
    } catch (error) {
      const isRefused = error instanceof CensusError && error.code === "bad-input";
      if (!isRefused || this.#hasResources === true) throw error;
      this.#hasResources = false;
      return this.#rows("reports", { query });
    }
  }

  /** How many reports there are of each hour since a time. */
  async hours(since: Timestamp): Promise<Hours> {
    const fields = [hour, ["function", "count"], ["function", "min", "hash"], ["function", "max", "hash"]];
    const condition = ["and", isAnyReport, [">=", "producer_timestamp", formatTimestamp(since)]];
    const rows = await this.#rows("reports", { query: ["extract", fields, condition, ["group_by", hour]] });
    return new Map(rows.map(hourOf));
  }

  /** Closes its connections. */
  close(): void {
    for (const agent of Object.values(this.#contact.agents ?? {})) agent.destroy();
  }

  async #rows(entity: string, body: object): Promise<Json[]> {
    return this.#pace.run(() => this.#post(entity, body), this.#signal);
  }

  async #post(entity: string, body: object): Promise<Json[]> {
    const { counts } = this.#status;
    const began = performance.now();
    const late = AbortSignal.timeout(PATIENCE * 1000);
    const signal = AbortSignal.any([this.#signal, late]);
    counts.requests++;
    try {
      const query = posted(`/pdb/query/v4/${entity}`, { ...body, origin: "census:follow" });
      const { url, response, body: answer } = await ask(this.#contact, { ...query, signal });
      const { socket } = response;
      const before = socket.bytesRead;
      const rows: Json[] = [];
      for await (const texts of responseRows(url, answer, signal, LONGEST))
        rows.push(...texts.map((text) => parseJson(text)));
      counts.bytes += socket.bytesRead - before;
      return rows;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!late.aborted) throw error;
      throw new CensusError("timeout", `no answer within ${PATIENCE} s`, { cause: error });
    } finally {
      counts.requestMs += performance.now() - began;
    }
  }
}

/** Nodes whose reports are listed in one request. */
export const listedAtOnce: number = PAGES.lists;

function isIn(from: Timestamp): Query {
  const [first, next] = [formatTimestamp(from), formatTimestamp(from + HOUR)];
  return ["and", [">=", "producer_timestamp", first], ["<", "producer_timestamp", next]];
}

function isOneOf(field: string, values: readonly string[]): Query {
  return ["in", field, ["array", values]];
}

/** Reads pages of values, the next one while one is stored. */
async function* inPages<T>(
  values: readonly string[],
  size: number,
  read: (page: readonly string[]) => Promise<T>,
): AsyncGenerator<T> {
  const start = (at: number): Promise<T> | undefined => {
    const reading = at < values.length ? read(values.slice(at, at + size)) : undefined;
    // Whoever stores the page before may fail first.
    reading?.catch(() => undefined);
    return reading;
  };
  let next = start(0);
  for (let at = size; next !== undefined; at += size) {
    const page = await next;
    next = start(at);
    yield page;
  }
}
