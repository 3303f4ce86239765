import { join } from "node:path";
import { writeArchiveFile } from "#storage/archive/write.ts";
import type { WrittenMember } from "#storage/archive/written-member.ts";
import { exactNumber, type Json, type JsonObject, stringifyJson } from "#storage/json.ts";
import { hostileCatalog, hostileFacts, hostileInputs } from "./hostile-documents.ts";
import { hostileReport } from "./hostile-reports.ts";
import { HOSTILE_GLOBAL, hostileTexts, textsOf } from "./hostile-texts.ts";

/** The time of the hostile archive. */
export const HOSTILE_NOW = "2026-11-20T12:00:00.000Z";

/** A name that a file can have and a page must not run. */
const FILE_NAME = `"><img src=x onerror=${HOSTILE_GLOBAL}=99>{{7*7}}=cmd()\u202Egzt.tgz`;

/** The certname of a node of the hostile archive. */
export function hostileCertname(index: number): string {
  return hostileTexts[index] as string;
}

/** The node whose values are huge, deep and many. */
export const HEAVY = "heavy.example.com";

/**
 * Writes an archive in which everything that an agent can choose is hostile: certnames, environments, producers, facts,
 * resources, parameters, files, messages, sources, versions, packages. Each text is in each field of some node. The name
 * of the file is hostile as well.
 * @param shift with another one, nodes have other texts in their fields
 * @returns its path
 */
export async function writeHostileArchive(folder: string, shift = 0): Promise<string> {
  const path = join(folder, FILE_NAME);
  await writeArchiveFile(path, members(shift), { format: "tar.gz", mtime: new Date(HOSTILE_NOW) });
  return path;
}

async function* members(shift: number): AsyncGenerator<WrittenMember> {
  const versions = { replace_catalog: 9, store_report: 8, replace_facts: 5, replace_catalog_inputs: 1 };
  yield member("export-metadata", { timestamp: HOSTILE_NOW, command_versions: versions });
  for (const index of hostileTexts.keys()) {
    const text = textsOf(index + shift);
    const certname = hostileCertname(index);
    yield member(`catalogs/node-${index}-${hash(index)}`, hostileCatalog(certname, text));
    for (const run of [0, 1]) {
      yield member(`reports/node-${index}-${hash(index * 2 + run)}`, hostileReport(certname, text, index, run));
    }
    yield member(`facts/node-${index}`, hostileFacts(certname, text));
    yield member(`catalog_inputs/node-${index}-${hash(index)}`, hostileInputs(certname, text));
  }
  yield member("facts/heavy", { ...hostileFacts(HEAVY, () => "heavy"), values: heavyValues() });
}

function heavyValues(): JsonObject {
  let deep: Json = "bottom";
  for (let level = 0; level < 200; level++) deep = level % 2 === 0 ? { [`level ${level}`]: deep } : [deep];
  return {
    megabyte: "<b>long</b> ".repeat(90_000),
    unbroken: "x".repeat(1_000_000),
    keys: Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`key <i>${key}</i>`, key])),
    elements: Array.from({ length: 10_000 }, (_, element) => element),
    deep,
    numbers: ["1" + "0".repeat(400), "1e400", "-1e-400", "123456789012345678901234567890", "1.0", "-0"].map(
      exactNumber,
    ),
  };
}

function member(name: string, document: JsonObject): WrittenMember {
  return { name: `puppetdb-bak/${name}.json`, body: stringifyJson(document) };
}

/** As in the names of an export's members: 40 digits. */
function hash(number: number): string {
  return number.toString(16).padStart(40, "0");
}
