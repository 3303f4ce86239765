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
import { DocumentBuffer } from "./gaps.ts";
import { GroupReader } from "./group-reader.ts";
import { type Group, GROUPS } from "./groups.ts";
import { historyMembers } from "./history.ts";
import { hasLongTexts } from "./long-texts.ts";

/** The top directories of an export: that of Census, and the only one that PuppetDB imports. */
export const exportDirectories = ["svc-bak", "puppetdb-bak"] as const;
export type ExportDirectory = (typeof exportDirectories)[number];

export interface ExportOptions {
  readonly directory: ExportDirectory;
  /** What is anonymized; default: nothing. */
  readonly profile?: ProfileName | undefined;
  /** The key of the replacements in an anonymized export; default: a random one. */
  readonly salt?: Uint8Array | undefined;
  /** Whether recorded changes are exported too. They are not anonymized, so that it needs an export that is not. */
  readonly withHistory?: boolean | undefined;
  /** Called with the number of members so far, and in total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Cancels the export: the engine is interrupted and the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The contents of a store as the members of an archive (reference/archive.md §1, §2): of every node, including
 * deactivated and expired ones. They are the state of one moment, whatever is stored meanwhile. Some ranges of 5 MB are
 * in memory at a time.
 */
export async function* exportMembers(store: Store, options: ExportOptions): AsyncGenerator<WrittenMember> {
  const { signal } = options;
  const extraMemory = await hasLongTexts(store);
  const { exportViews: views } = memoryBudget();
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
  if (options.withHistory !== true) return;
  if (anonymizer !== undefined) throw new Error("a history is not anonymized");
  for await (const { name, body } of historyMembers(at)) yield { name: `${directory}/${name}`, body };
}

/** It needs all names beforehand, because any document may mention any node. */
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
  const sheet = new DocumentBuffer();
  for await (const { rows, free } of reader.ranges()) {
    for (const { name, parts } of rows) {
      const body = sheet.fill(parts);
      yield anonymizer === undefined
        ? { name: `${place}${name.join("-")}.json`, body }
        : anonymizedMember(place, name, body, command, anonymizer);
    }
    free();
  }
}

function anonymizedMember(
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

/** Formatted as PuppetDB formats it. */
function metadata(timestamp: string): string {
  const versions = GROUPS.map(({ command }) => [commands[command].archive.versionKey, commands[command].newest]);
  const document = { timestamp, command_versions: Object.fromEntries(versions) as Record<string, number> };
  return JSON.stringify(document, null, 2).replaceAll('": ', '" : ');
}
