import { setTimeout as sleep } from "node:timers/promises";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { Json } from "#storage/json.ts";
import {
  catalogDocument,
  type DocumentHeader,
  factsDocument,
  inputsDocument,
  type OriginDocument,
  reportDocument,
} from "#storage/origins/documents.ts";
import { changedHours, differingHours, groupsOf, HOUR, type Hours } from "#storage/origins/hours.ts";
import { changedNodes, compareLists, decideDocument, type Look } from "#storage/origins/look.ts";
import type { ListedNode } from "#storage/origins/origin-node.ts";
import type { Copied, NotedHeader, Origins } from "#storage/origins/origins.ts";
import type { OriginStatus } from "#storage/origins/status.ts";
import { type Clock, days, type Timestamp } from "#storage/time.ts";
import { oneLine } from "../errors.ts";
import { Unreachable } from "../sources/http.ts";
import { Refusal } from "../sources/server.ts";
import { listedAtOnce, type OriginRequests } from "./requests.ts";

/** Milliseconds between comparisons of the counts of reports: of the last two days, and of all. */
const COUNTED = { recent: 600_000, all: 86_400_000 };
const RECENT = days(2);

/** Milliseconds before a server that failed is contacted again: the first time, and at most. */
const BACK_OFF = { first: 500, most: 60_000 };

export interface FollowerOptions {
  readonly origins: Origins;
  readonly status: OriginStatus;
  readonly requests: OriginRequests;
  readonly clock: Clock;
  /** Reports that are older are not kept here; 0: all are. */
  readonly reportTtl: Timestamp;
  /** Whether the first look that misses too much may delete that much. */
  readonly acceptsLoss: boolean;
  /** Receives a sentence for people. */
  readonly onNotice: (text: string) => void;
}

/** Copies what differs between an origin and the store, again and again. */
export class Follower {
  readonly #options: FollowerOptions;
  #acceptsLoss: boolean;
  /** Names that the look before this one did not list either. */
  #missed: ReadonlySet<string> = new Set();
  /** Reports that can never be stored here. */
  readonly #refusedReports = new Set<string>();
  /** Hours of reports that need not be looked at again: see {@link differingHours}. */
  readonly #settledHours = new Map<string, string>();
  /** What the server listed at the last look that counted all reports, to tell what has come there since. */
  #listed: { readonly nodes: readonly ListedNode[]; readonly hours: Hours } | undefined;
  /** When counts were compared the last time, ms. */
  #counted = { recent: -Infinity, all: -Infinity };

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#acceptsLoss = options.acceptsLoss;
  }

  /** Looks every `interval` milliseconds, and less often while the server does not answer, until the signal is aborted. */
  async run(interval: number, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.look();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        this.#failed(error);
      }
      const backOff = Math.min(BACK_OFF.most, BACK_OFF.first * 2 ** (failures - 1)) * (0.75 + Math.random() / 2);
      await sleep(failures === 0 ? interval : Math.min(interval, backOff), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  /**
   * Compares all nodes with what is noted of them, and copies what differs.
   * @param countsAll whether all reports are counted, whenever they were the last time
   * @returns whether nothing differed but what has come there since the look before that counted all: a fleet never rests
   */
  async look(countsAll = false): Promise<boolean> {
    const { origins, status, requests, clock } = this.#options;
    const { name } = status;
    const began = clock.now();
    status.version ??= await requests.version();
    const listed = await requests.nodes();
    const look = compareLists(listed, origins.noted(name), (certname) => origins.stored(certname));
    status.counts.looks++;
    const { changed, differing } = await this.#delete(look);
    const total = Object.values(changed).reduce((sum, nodes) => sum + nodes.length, 0);
    status.progress = { done: 0, total };
    await this.#replaced("facts", changed.facts);
    await this.#latestReports(changed.report);
    await this.#replaced("catalog", changed.catalog);
    const withInputs = namesOf(changed.inputs);
    await this.#copy("inputs", requests.documents("inputs", [...withInputs.keys()]), withInputs);
    await origins.settle(name, differing);
    const before = this.#listed;
    const missed = await this.#countReports(listed, countsAll);
    status.queueDepth = await requests.queueDepth();
    this.#looked(began, look);
    const late = changedNodes(before?.nodes ?? listed, listed);
    return differing.every(({ certname }) => late.has(certname)) && missed === 0 && look.missing.length === 0;
  }

  #looked(began: Timestamp, { held }: Look): void {
    const { origins, status, onNotice } = this.#options;
    const ahead = origins.ahead(status.name);
    if (ahead.length > 0 && status.ahead === 0) {
      onNotice(
        `${status.url}: ${ahead.length} nodes have newer data here, as ${ahead[0]}; was it restored from a backup? What is newer is kept`,
      );
    }
    if (status.problem !== undefined && held === undefined) onNotice(`${status.url}: following again`);
    status.nodes = origins.noted(status.name).size;
    status.ahead = ahead.length;
    const shared = new Set(origins.shared);
    status.shared = [...origins.noted(status.name).keys()].filter((name) => shared.has(name)).length;
    status.progress = undefined;
    status.state = held === undefined ? "following" : "held";
    status.problem = held;
    status.lastLook = began;
  }

  /** Deletes what was deleted there. @returns the look without nodes that cannot be deleted yet */
  async #delete(look: Look): Promise<Look> {
    const { origins, status, onNotice } = this.#options;
    const { missing, returned, held } = look;
    if (held !== undefined && !this.#acceptsLoss) {
      if (status.problem !== held) {
        onNotice(`${status.url}: ${held}; nothing is deleted here. If that is right, start once with --accept-loss`);
      }
      const kept = (nodes: readonly ListedNode[]): ListedNode[] => nodes.filter((node) => !returned.includes(node));
      const { facts, catalog, inputs, report } = look.changed;
      const changed = { facts: kept(facts), catalog: kept(catalog), inputs: kept(inputs), report: kept(report) };
      return { ...look, changed, differing: kept(look.differing) };
    }
    // One look may have been answered by a server that was just being restored.
    const gone = missing.filter((name) => this.#missed.has(name));
    this.#missed = new Set(missing);
    await origins.remove(status.name, [...gone, ...returned.map(({ certname }) => certname)]);
    if (held !== undefined && gone.length === missing.length) this.#acceptsLoss = false;
    return { ...look, held: undefined };
  }

  /** Copies fact sets or catalogs of which another one was received. */
  async #replaced(kind: DocumentHeader["kind"], nodes: readonly ListedNode[]): Promise<void> {
    const { origins, status, requests } = this.#options;
    const byName = namesOf(nodes);
    for await (const headers of requests.headers(kind, [...byName.keys()])) {
      const noted: NotedHeader[] = [];
      const fetched: string[] = [];
      for (const header of headers) {
        const { certname } = header;
        const listed = byName.get(certname);
        if (listed === undefined) continue;
        const decision = decideDocument(header, origins.noted(status.name).get(certname), origins.stored(certname));
        if (decision === "fetch") fetched.push(certname);
        else noted.push({ header, listed });
      }
      await origins.note(status.name, noted);
      this.#progressed(noted.length);
      await this.#copy(kind, requests.documents(kind, fetched), byName);
    }
  }

  /** Copies the reports of nodes that have another latest one; of new nodes only that one: the others are counted later. */
  async #latestReports(nodes: readonly ListedNode[]): Promise<void> {
    const { origins, requests } = this.#options;
    const byName = namesOf(nodes);
    const hashes: string[] = [];
    const known: { readonly certname: string; readonly time: Timestamp }[] = [];
    for (const { certname, report_hash: hash } of nodes) {
      const time = origins.stored(certname)?.report_producer_timestamp ?? null;
      if (time !== null) known.push({ certname, time });
      if (hash !== null) hashes.push(hash);
    }
    // Those that have reported at similar times are listed together.
    known.sort((a, b) => (a.time < b.time ? -1 : 1));
    for (let at = 0; at < known.length; at += listedAtOnce) {
      const part = known.slice(at, at + listedAtOnce);
      const names = part.map(({ certname }) => certname);
      hashes.push(...(await requests.reportsAfter(names, (part[0]?.time ?? 0n) - HOUR)));
    }
    await this.#reports([...new Set(hashes)], byName);
  }

  async #reports(hashes: readonly string[], byName: ReadonlyMap<string, ListedNode>): Promise<void> {
    const { origins, requests } = this.#options;
    const missing = (await origins.missingReports(hashes)).filter((hash) => !this.#refusedReports.has(hash));
    await this.#copy("report", requests.reports(missing), byName);
  }

  /**
   * Compares how many reports there are of each hour, if that is due: neither a late report nor that of a plan shows in the list
   * of nodes.
   * @returns how many hours differed, without those in which reports have come since all were counted
   */
  async #countReports(listed: readonly ListedNode[], countsAll: boolean): Promise<number> {
    const { origins, status, requests, clock, reportTtl } = this.#options;
    const now = performance.now();
    const isAll = countsAll || now - this.#counted.all >= COUNTED.all;
    if (!isAll && now - this.#counted.recent < COUNTED.recent) return 0;
    const kept = reportTtl === 0n ? 0n : clock.now() - reportTtl;
    const since = isAll || kept > clock.now() - RECENT ? kept : clock.now() - RECENT;
    const begin = since <= 0n ? 0n : since - (since % HOUR);
    const [there, here] = [await requests.hours(begin), await origins.hours(status.name, begin)];
    const hours = differingHours(there, here, this.#settledHours);
    status.missingReports = hours.reduce((sum, { missing }) => sum + missing, 0);
    const { done = 0, total = 0 } = status.progress ?? {};
    status.progress = { done, total: total + status.missingReports };
    const byName = namesOf(listed);
    for (const group of groupsOf(hours)) {
      await this.#reports(await requests.reportsIn(group.map(({ from }) => from)), byName);
      for (const { name, state, missing } of group) {
        this.#settledHours.set(name, state);
        status.missingReports -= missing;
      }
    }
    this.#counted = { recent: now, all: isAll ? now : this.#counted.all };
    if (!isAll) return hours.length;
    const late = changedHours(this.#listed?.hours ?? there, there);
    this.#listed = { nodes: listed, hours: there };
    return hours.filter(({ name: hour }) => !late.has(hour)).length;
  }

  /** Stores pages of rows with documents of some nodes. A node that came after the list was read is copied after the next one. */
  async #copy(
    kind: OriginDocument["kind"],
    pages: AsyncIterable<readonly Json[]>,
    byName: ReadonlyMap<string, ListedNode>,
  ): Promise<void> {
    for await (const rows of pages) {
      const copied = rows.flatMap((row): Copied[] => {
        const document = documentOf(kind, row, byName);
        const listed = byName.get(document.submission.certname);
        return listed === undefined ? [] : [{ document, listed }];
      });
      await this.#store(copied);
    }
  }

  async #store(copied: readonly Copied[]): Promise<void> {
    const { origins, status, onNotice } = this.#options;
    const refused = await origins.store(status.name, copied);
    for (const { document, reason } of refused) {
      if (document.kind === "report" && document.hash !== null) this.#refusedReports.add(document.hash);
      onNotice(`${status.url}: a document is left out, which cannot be stored here: ${oneLine(reason)}`);
    }
    for (const { document } of copied) {
      status.counts.documents.set(document.kind, (status.counts.documents.get(document.kind) ?? 0) + 1);
    }
    this.#progressed(copied.length);
  }

  #progressed(count: number): void {
    const { status } = this.#options;
    const { done, total } = status.progress ?? { done: 0, total: 0 };
    status.progress = { done: done + count, total: Math.max(total, done + count) };
  }

  #failed(error: unknown): void {
    const { status, onNotice } = this.#options;
    const isRefused =
      error instanceof Refusal
        ? error.status === 401 || error.status === 403
        : error instanceof CensusError && error.code === "bad-input";
    const problem = oneLine(problemOf(error));
    status.counts.failures++;
    status.state = isRefused ? "refused" : "unreachable";
    if (status.problem !== problem) onNotice(`${status.url}: ${problem}; trying again`);
    status.problem = problem;
  }
}

/** What is wrong with a server, without its address and hints for commands. */
export function problemOf(error: unknown): string {
  return error instanceof Unreachable ? error.reason : messageOf(error);
}

function namesOf(nodes: readonly ListedNode[]): ReadonlyMap<string, ListedNode> {
  return new Map(nodes.map((node) => [node.certname, node]));
}

function documentOf(kind: OriginDocument["kind"], row: Json, byName: ReadonlyMap<string, ListedNode>): OriginDocument {
  switch (kind) {
    case "facts":
      return factsDocument(row);
    case "catalog":
      return catalogDocument(row, (certname) => byName.get(certname)?.catalog_timestamp ?? null);
    case "inputs":
      return inputsDocument(row);
    case "report":
      return reportDocument(row);
  }
}
