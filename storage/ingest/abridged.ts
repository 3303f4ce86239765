import { createHash } from "node:crypto";
import { type CommandName, commands } from "../wire/commands.ts";
import { topLevelMembers } from "./top-level.ts";

/*
 * Most fact sets' and nearly all catalogs' content is what the node sent half an hour ago; only times and run ids differ. A
 * digest of the text without those tells, for a fraction of what reading and hashing the content costs.
 */

/** What of a command's text is its content, and what of that is large. */
interface Content {
  /** Members that may differ while the content is the same. */
  readonly volatile: ReadonlySet<string>;
  /** Members that need not be read when the content is the same, and what may stand for them. */
  readonly large: Readonly<Record<string, Buffer>>;
}

const NO_LIST = Buffer.from("[]");

const contents: Readonly<Partial<Record<CommandName, Content>>> = {
  "replace facts": {
    volatile: quotedNames("certname", "producer_timestamp", "producer", "timestamp"),
    // The environment counts, for it is part of a factset's hash.
    large: { '"values"': Buffer.from("{}"), '"package_inventory"': NO_LIST },
  },
  "replace catalog": {
    volatile: quotedNames(
      "certname",
      "version",
      "environment",
      "transaction_uuid",
      "catalog_uuid",
      "code_id",
      "job_id",
      "producer_timestamp",
      "producer",
    ),
    large: { '"resources"': NO_LIST, '"edges"': NO_LIST },
  },
};

function quotedNames(...names: string[]): ReadonlySet<string> {
  return new Set(names.map((name) => JSON.stringify(name)));
}

/** A command's content in few characters, and the command without it. */
export interface Abridged {
  readonly digest: string;
  /** The payload with nothing in the place of what is large. */
  readonly json: Buffer;
}

const SEPARATOR = Buffer.of(0);

/**
 * Abridges a current fact set or catalog. Two payloads with one digest have the same content; a payload with the digest of
 * one that has been found sound is sound as far as its content goes.
 * @param json the payload, UTF-8
 * @returns undefined for other commands, older versions and what is no object
 */
export function abridge(command: CommandName, version: number, json: Buffer): Abridged | undefined {
  const content = contents[command];
  if (content === undefined || version !== commands[command].newest) return undefined;
  const members = topLevelMembers(json);
  if (members === undefined) return undefined;
  const digest = createHash("sha1");
  const kept: Buffer[] = [];
  let copied = 0;
  for (const { name, from, to } of members) {
    if (!content.volatile.has(name)) digest.update(name).update(json.subarray(from, to)).update(SEPARATOR);
    const substitute = content.large[name];
    if (substitute === undefined) continue;
    kept.push(json.subarray(copied, from), substitute);
    copied = to;
  }
  return { digest: digest.digest("base64url"), json: Buffer.concat([...kept, json.subarray(copied)]) };
}
