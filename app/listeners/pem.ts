import { CensusError } from "#storage/errors.ts";
import { readNamedFile } from "./named-file.ts";

/** What a PEM file can contain, by the labels of its blocks. */
const kinds = [
  { kind: "certificate", labels: ["CERTIFICATE", "X509 CERTIFICATE"] },
  {
    kind: "private key",
    labels: ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"],
  },
  { kind: "revocation list", labels: ["X509 CRL"] },
] as const;

/** One of them. */
export type PemKind = (typeof kinds)[number]["kind"];

const BLOCK = /-----BEGIN (?<label>[A-Z0-9 ]+)-----[^]+?-----END \k<label>-----/g;

/**
 * The blocks of one kind in a PEM file, at least one. Ignores other blocks: some tools write key and
 * certificate to one file.
 * @throws CensusError "bad-file" naming the setting, the file and what is wrong
 */
export async function readPem(setting: string, path: string, wanted: PemKind): Promise<string[]> {
  const text = await readNamedFile(setting, path);
  const blocks = [...text.matchAll(BLOCK)].map(([block, label]) => ({ block, kind: kindOf(label) }));
  const found = blocks.filter(({ kind }) => kind === wanted);
  if (found.length > 0) return found.map(({ block }) => `${block}\n`);
  const instead = blocks.find(({ kind }) => kind !== undefined)?.kind;
  const problem =
    instead === undefined ? `is not a PEM file with a ${wanted}` : `contains a ${instead} instead of a ${wanted}`;
  throw new CensusError("bad-file", `${setting}: ${path} ${problem}`);
}

function kindOf(label: string | undefined): PemKind | undefined {
  return kinds.find(({ labels }) => labels.some((known) => known === label))?.kind;
}
