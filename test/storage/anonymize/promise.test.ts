import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Kind } from "#storage/anonymize/kinds.ts";
import { type ProfileName, profiles } from "#storage/anonymize/profiles.ts";
import { Judge } from "#storage/anonymize/rules.ts";
import { type JsonObject, parseJson } from "#storage/json.ts";
import { generatedSite, type Member, type Site } from "./site.ts";
import { type OriginalText, originalTextsOf } from "./original-texts.ts";

/** Shorter texts occur by accident in random letters, or in the words of the format. */
const SHORTEST = 6;

/** Keys and values that the format of documents or the replacements themselves contain. */
const WORDS_OF_THE_FORMAT =
  "certname environment version message parameters old_value configuration_version alias before notify require subscribe /etc/puppet/modules/ /manifests/ command_versions replace_catalog package_inventory".split(
    " ",
  );

let site: Site;
let originals: readonly OriginalText[];

beforeAll(async () => {
  site = await generatedSite(12);
  const documents = site.original.filter(({ name }) => !name.endsWith("metadata.json"));
  originals = distinct(documents.flatMap((member) => [...originalTextsOf(...parsed(member))]));
});

afterAll(() => site.remove());

function parsed({ name, body }: Member): [folder: string, document: JsonObject] {
  return [name.split("/")[1] ?? "", parseJson(body) as JsonObject];
}

function distinct(items: readonly OriginalText[]): OriginalText[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** Whether the profile's declaration promises to hide it: by the subject nearest to it, or as a secret by any. */
function isHidden(profile: ProfileName): (item: OriginalText) => boolean {
  const judges = new Map(Object.entries(profiles[profile]).map(([kind, policy]) => [kind, new Judge(policy)]));
  return ({ kind, subjects }) => {
    if (kind === "word") return false;
    const verdicts = (subjects.length === 0 ? [""] : subjects).map((subject) => judges.get(kind)?.of(subject));
    return verdicts[0] !== "kept" || verdicts.includes("secret");
  };
}

/** All kinds whose texts are judged; `line` has none, and the versions made up are numbers and hashes. */
const ALL: readonly Kind[] = [
  ...(["node", "type", "tag", "title", "parameter-name", "parameter-value", "catalog-input-type"] as const),
  ...(["catalog-input-value", "file", "message", "text", "fact-name", "fact-value", "environment", "uuid"] as const),
];

describe("texts that a profile promises to hide occur in no name and no content of a member", () => {
  it.each<[ProfileName, readonly Kind[]]>([
    ["full", ALL],
    ["moderate", ALL.filter((kind) => !["parameter-name", "catalog-input-type", "uuid"].includes(kind))],
    ["low", ["node", "parameter-value", "catalog-input-value", "message", "text", "fact-value"]],
  ])("under %s", async (profile, kinds) => {
    const { members } = await site.anonymized(profile);
    const output = members.map(({ name, body }) => `${name}\n${body}`).join("\n");
    const hidden = isHidden(profile);
    // A text that is kept as another kind of thing may occur; names of nodes may occur nowhere.
    const kept = [...WORDS_OF_THE_FORMAT, ...originals.filter((item) => !hidden(item)).map(({ text }) => text)].join(
      "\n",
    );
    const found: string[] = [];
    const judged = new Set<string>();
    for (const { kind, text } of originals.filter(hidden)) {
      if (text.length < SHORTEST || (kind !== "node" && kept.includes(text))) continue;
      judged.add(kind);
      if (output.includes(JSON.stringify(text).slice(1, -1))) found.push(`${kind} ${text}`);
    }
    expect(found).toEqual([]);
    expect([...judged].sort()).toEqual([...kinds].sort());
  });

  it("but occur in the original", () => {
    const original = site.original.map(({ name, body }) => `${name}\n${body}`).join("\n");
    expect(originals.filter(({ text }) => !original.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
    expect(originals.length).toBeGreaterThan(2000);
  });
});

it("the profile none changes only the layout", async () => {
  const { members } = await site.anonymized("none");
  expect(members.map(({ name }) => name)).toEqual(site.original.map(({ name }) => name));
  expect(members.map(({ body }) => parseJson(body))).toEqual(site.original.map(({ body }) => parseJson(body)));
});

it("two archives with the same salt are identical", async () => {
  const [once, again] = [await site.anonymized("full"), await site.anonymized("full")];
  expect(again.members).toEqual(once.members);
});
