import { type Anonymizer, createAnonymizer } from "../../anonymize/anonymizer.ts";
import type { ProfileName } from "../../anonymize/profiles.ts";
import type { Snapshot, Views } from "../../engine/snapshot.ts";
import { type JsonObject, parseJson, stringifyJson } from "../../json.ts";
import { memoryBudget } from "../../memory/budget.ts";
import type { Store } from "../../store.ts";
import { formatTimestamp } from "../../time.ts";
import { commands } from "../../wire/commands.ts";
import type { ArchiveCommandName } from "../contents.ts";
import { METADATA_FILES } from "../layout.ts";
import type { WrittenMember } from "../written-member.ts";
import { Sheet } from "./gaps.ts";
import { GroupReader } from "./group-reader.ts";
import { type Group, GROUPS } from "./groups.ts";
import { hasLongTexts } from "./long-texts.ts";

/** The top directories an export may have: that of Census, and the only one that PuppetDB takes in. */
export const exportDirectories = ["svc-bak", "puppetdb-bak"] as const;
export type ExportDirectory = (typeof exportDirectories)[number];

export interface ExportOptions {
  readonly directory: ExportDirectory;
  /** How much is hidden; nothing unless told. */
  readonly profile?: ProfileName | undefined;
  /** The key of the replacements of what is hidden; one that nobody knows unless given. */
  readonly salt?: Uint8Array | undefined;
  /** Told how many members there are so far, and how many there will be. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Ends the export: the engine is interrupted and the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Readers that work at the same time. One makes the engine the bottleneck, for compressing is done by other threads; two take
 * twice the memory.
 */
const VIEWS = { usual: 2, withLittleMemory: 1 } as const;

/**
 * All that a store holds, as the members of an archive (reference/archive.md §1, §2): of every node, also of those that
 * are deactivated or expired. It is the state of one moment, whatever comes in meanwhile, of which some ranges of 5 MB
 * are in memory at a time, whatever there is.
 */
export async function* exportMembers(store: Store, options: ExportOptions): AsyncGenerator<WrittenMember> {
  const { signal } = options;
  const extraMemory = await hasLongTexts(store);
  const views = memoryBudget().isWatched ? VIEWS.withLittleMemory : VIEWS.usual;
  const how = { views, inBulk: true, extraMemory, ...(signal === undefined ? {} : { signal }) };
  const made = formatTimestamp(store.clock.now());
  yield* store.snapshot((views) => membersOf(views, made, options), how);
}

async function* membersOf(views: Views, made: string, options: ExportOptions): AsyncGenerator<WrittenMember> {
  const { directory, onProgress } = options;
  const [at] = views;
  const total = onProgress === undefined ? 0 : await count(at);
  let done = 0;
  yield { name: `${directory}/${METADATA_FILES[0]}`, body: metadata(made) };
  const anonymizer = await anonymizerOf(at, options);
  for (const group of GROUPS) {
    for await (const member of groupMembers(views, group, directory, anonymizer)) {
      yield member;
      onProgress?.(++done, total);
    }
  }
}

/** It is told all names beforehand, since any document may speak of any node. */
async function anonymizerOf(at: Snapshot, { profile = "none", salt }: ExportOptions): Promise<Anonymizer | undefined> {
  if (profile === "none") return undefined;
  const names = await at.rows<{ name: string }>("SELECT certname AS name FROM nodes UNION SELECT name FROM producers");
  return createAnonymizer({ profile, salt, certnames: names.map(({ name }) => name) });
}

async function* groupMembers(
  views: Views,
  group: Group,
  directory: ExportDirectory,
  anonymizer: Anonymizer | undefined,
): AsyncGenerator<WrittenMember> {
  const { command } = group;
  const place = `${directory}/${commands[command].archive.folder}/`;
  const reader = await GroupReader.open(views, group);
  const sheet = new Sheet();
  for await (const { rows, free } of reader.ranges()) {
    for (const { name, parts } of rows) {
      const body = sheet.fill(parts);
      yield anonymizer === undefined
        ? { name: `${place}${name.join("-")}.json`, body }
        : inOtherWords(place, name, body, command, anonymizer);
    }
    free();
  }
}

function inOtherWords(
  place: string,
  [, ...hash]: readonly string[],
  body: Buffer,
  command: ArchiveCommandName,
  anonymizer: Anonymizer,
): WrittenMember {
  const document = anonymizer.apply(command, parseJson(body.toString()) as JsonObject);
  const name = [document["certname"] as string, ...hash].join("-");
  return { name: `${place}${name}.json`, body: stringifyJson(document) };
}

async function count(at: Snapshot): Promise<number> {
  const counts = GROUPS.map(({ from, where }) => `(SELECT count(*) FROM ${from} n WHERE ${where})`);
  const [row] = await at.rows<{ total: bigint }>(`SELECT (${counts.join(" + ")})::BIGINT AS total`);
  return Number(row?.total ?? 0n);
}

/** Laid out as PuppetDB lays it out. */
function metadata(timestamp: string): string {
  const versions = GROUPS.map(({ command }) => [commands[command].archive.versionKey, commands[command].newest]);
  const document = { timestamp, command_versions: Object.fromEntries(versions) as Record<string, number> };
  return JSON.stringify(document, null, 2).replaceAll('": ', '" : ');
}
