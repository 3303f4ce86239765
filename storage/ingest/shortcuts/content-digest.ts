import { createHash } from "node:crypto";
import { type CommandName, commands } from "../../wire/commands.ts";
import { type Member, topLevelMembers } from "./json-bounds.ts";

/*
 * Most fact sets and nearly all catalogs have the content that the node sent half an hour ago: only times and run ids
 * differ. A digest of the text without those finds that out for a fraction of the cost of reading and hashing the content.
 */

/** Which members of a command's text are its content, and which of those are large. */
interface ContentMembers {
  /** Members that may differ while the content is the same. */
  readonly volatile: ReadonlySet<string>;
  /** Members that need not be read while the content is the same, and the empty value that replaces them. */
  readonly large: Readonly<Record<string, Buffer>>;
}

const EMPTY_LIST = Buffer.from("[]");

const contentMembers: Readonly<Partial<Record<CommandName, ContentMembers>>> = {
  "replace facts": {
    volatile: quotedNames("certname", "producer_timestamp", "producer", "timestamp"),
    // The environment is content: it is part of a factset's hash.
    large: { '"values"': Buffer.from("{}"), '"package_inventory"': EMPTY_LIST },
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
    large: { '"resources"': EMPTY_LIST, '"edges"': EMPTY_LIST },
  },
};

function quotedNames(...names: string[]): ReadonlySet<string> {
  return new Set(names.map((name) => JSON.stringify(name)));
}

/** A payload and the digest of its content. */
export interface DigestedContent {
  /** SHA-1 of the text without its volatile members, then the length in bytes of each large member, in their order. */
  readonly digest: string;
  /** The payload with an empty value in place of each large member. */
  readonly head: Buffer;
  /** The large members by name; undefined where a member's name contains an escape, so that it may be another's. */
  readonly large: ReadonlyMap<string, Member> | undefined;
}

/**
 * Digests the content of a fact set or catalog of the current version. Two payloads with one digest have the same content;
 * if the content of one is valid, so is that of the other.
 * @param json the payload, UTF-8
 * @returns undefined for other commands, older versions and what is not an object
 */
export function digestContent(command: CommandName, version: number, json: Buffer): DigestedContent | undefined {
  const content = contentMembersOf(command, version);
  const members = content && topLevelMembers(json);
  return content && members && digested(content, json, members);
}

/**
 * Checks whether a payload has the content with this digest, three times as fast as {@link digestContent}: it assumes that
 * large members have the lengths in the digest instead of searching for their ends. If they do not, the digests differ.
 * @returns undefined if the content is another one
 */
export function matchDigest(
  command: CommandName,
  version: number,
  json: Buffer,
  digest: string,
): DigestedContent | undefined {
  const content = contentMembersOf(command, version);
  if (content === undefined) return undefined;
  const lengths = digest.split(" ").slice(1).values();
  const members = topLevelMembers(json, (name) =>
    content.large[name] === undefined ? undefined : Number(lengths.next().value ?? 0),
  );
  const found = members && digested(content, json, members);
  return found?.digest === digest ? found : undefined;
}

function contentMembersOf(command: CommandName, version: number): ContentMembers | undefined {
  return version === commands[command].newest ? contentMembers[command] : undefined;
}

function digested({ volatile, large }: ContentMembers, json: Buffer, members: readonly Member[]): DigestedContent {
  const hash = createHash("sha1");
  const head: Buffer[] = [];
  const found: Member[] = [];
  let [hashed, copied] = [0, 0];
  for (const member of members) {
    const { name, from, to } = member;
    if (volatile.has(name)) {
      hash.update(json.subarray(hashed, from));
      hashed = to;
    }
    const empty = large[name];
    if (empty === undefined) continue;
    head.push(json.subarray(copied, from), empty);
    copied = to;
    found.push(member);
  }
  hash.update(json.subarray(hashed));
  return {
    digest: [hash.digest("base64url"), ...found.map(({ from, to }) => to - from)].join(" "),
    head: Buffer.concat([...head, json.subarray(copied)]),
    // Of two members with the same name the last counts.
    large: members.some(hasEscape)
      ? undefined
      : new Map(found.map((member) => [JSON.parse(member.name) as string, member])),
  };
}

function hasEscape({ name }: Member): boolean {
  return name.includes("\\");
}
