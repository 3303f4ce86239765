import { createPrivateKey, sign } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "#app/version.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { sumOf, sumsFile, writeReleaseSums } from "./archive.ts";

/** What a release is made of, besides its files. */
export interface Publication {
  /** The hash of the commit. */
  readonly commit: string;
  /** Its time, seconds since 1970. */
  readonly seconds: number;
  /** The subjects of the commits since the last release, the newest first. */
  readonly subjects: readonly string[];
  /** What was run and what was not, in Markdown. */
  readonly tested: string;
  /** Path of a private Ed25519 key in PEM; undefined: nothing is signed. */
  readonly key: string | undefined;
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license: { readonly id?: string; readonly name?: string } }[];
}

/** The suffix of bills of materials. */
export const billSuffix = ".cdx.json";

/**
 * Completes a directory of released files: notes, a manifest of files, versions and licences, checksums and their signature.
 * The same files give the same bytes.
 * @throws CensusError "bad-file" if the key cannot be read or is of another kind
 */
export function publish(folder: string, publication: Publication): void {
  writeFileSync(join(folder, `census-${version}-notes.md`), notes(publication));
  writeFileSync(join(folder, `census-${version}-manifest.json`), manifest(folder, publication));
  writeReleaseSums(folder);
  if (publication.key === undefined) return;
  const sums = readFileSync(join(folder, sumsFile));
  writeFileSync(join(folder, `${sumsFile}.sig`), signed(sums, publication.key));
}

function notes({ commit, seconds, subjects, tested }: Publication): string {
  const date = new Date(seconds * 1000).toISOString().slice(0, 10);
  const changes = subjects.map((subject) => `- ${subject}`);
  const parts = [`# Census ${version}`, `Commit ${commit}, ${date}.`, "## Changes", changes.join("\n"), tested.trim()];
  return `${parts.join("\n\n")}\n`;
}

function manifest(folder: string, { commit, seconds }: Publication): string {
  const own = `census-${version}-manifest.json`;
  const names = readdirSync(folder)
    .filter((name) => name.startsWith("census") && name !== own)
    .sort();
  const files = names.map((name) => {
    const path = join(folder, name);
    return { name, size: statSync(path).size, sha256: sumOf(path) };
  });
  const bills = names
    .filter((name) => name.endsWith(billSuffix))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const components = bills.flatMap((bill) => (JSON.parse(bill) as { components: readonly Component[] }).components);
  const parts = new Map(components.map((part) => [`${part.name}@${part.version}`, partOf(part)]));
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
  const time = new Date(seconds * 1000).toISOString();
  return `${JSON.stringify({ version, commit, time, files, parts: sorted }, undefined, 2)}\n`;
}

function partOf({ name, version: number, licenses = [] }: Component): object {
  const licence = licenses.map(({ license }) => license.id ?? license.name ?? "unknown").join(" AND ");
  return { name, version: number, licence: licence === "" ? "unknown" : licence };
}

function signed(content: Uint8Array, path: string): Buffer {
  try {
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyType !== "ed25519") throw new Error(`the key is ${key.asymmetricKeyType}, not ed25519`);
    return sign(null, content, key);
  } catch (error) {
    throw new CensusError("bad-file", `${path}: cannot sign with this key: ${messageOf(error)}`, { cause: error });
  }
}
