import { createHash } from "node:crypto";
import { type CommandName, commands } from "../../wire/commands.ts";
import { type Member, topLevelMembers } from "./json-bounds.ts";

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
  /**
   * What the content is told by: a digest of the text without what may differ, and the length of each of its large members,
   * in bytes and in their order.
   */
  readonly content: string;
  /** The payload with nothing in the place of what is large. */
  readonly json: Buffer;
  /** What is large, by its name. Undefined where that cannot be told so simply: a name is spelt in an unusual way. */
  readonly large: ReadonlyMap<string, Member> | undefined;
}

/**
 * Abridges a current fact set or catalog. Two payloads with one content are the same as far as it goes; a payload with the
 * content of one that has been found sound is sound as far as its content goes.
 * @param json the payload, UTF-8
 * @returns undefined for other commands, older versions and what is no object
 */
export function abridge(command: CommandName, version: number, json: Buffer): Abridged | undefined {
  const content = contentOf(command, version);
  const members = content && topLevelMembers(json);
  return content && members && withoutContent(content, json, members);
}

/**
 * The same for a payload that probably has a content which is known already, three times as fast: its large members are
 * taken to be as long as they were rather than searched for their end. If they are not, the digest tells.
 * @returns undefined where the content is another one
 */
export function abridgeKnown(command: CommandName, version: number, json: Buffer, known: string): Abridged | undefined {
  const content = contentOf(command, version);
  if (content === undefined) return undefined;
  const lengths = known.split(" ").slice(1).values();
  const members = topLevelMembers(json, (name) =>
    content.large[name] === undefined ? undefined : Number(lengths.next().value ?? 0),
  );
  const abridged = members && withoutContent(content, json, members);
  return abridged?.content === known ? abridged : undefined;
}

function contentOf(command: CommandName, version: number): Content | undefined {
  return version === commands[command].newest ? contents[command] : undefined;
}

function withoutContent({ volatile, large }: Content, json: Buffer, members: readonly Member[]): Abridged {
  const digest = createHash("sha1");
  const kept: Buffer[] = [];
  const found: Member[] = [];
  let [digested, copied] = [0, 0];
  for (const member of members) {
    const { name, from, to } = member;
    if (volatile.has(name)) {
      digest.update(json.subarray(digested, from));
      digested = to;
    }
    const substitute = large[name];
    if (substitute === undefined) continue;
    kept.push(json.subarray(copied, from), substitute);
    copied = to;
    found.push(member);
  }
  digest.update(json.subarray(digested));
  return {
    content: [digest.digest("base64url"), ...found.map(({ from, to }) => to - from)].join(" "),
    json: Buffer.concat([...kept, json.subarray(copied)]),
    // Of two with one name the last counts.
    large: members.some(isEscaped)
      ? undefined
      : new Map(found.map((member) => [JSON.parse(member.name) as string, member])),
  };
}

function isEscaped({ name }: Member): boolean {
  return name.includes("\\");
}
