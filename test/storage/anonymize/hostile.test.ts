import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnonymizer } from "#storage/anonymize/anonymizer.ts";
import { profileNames } from "#storage/anonymize/profiles.ts";
import type { ArchiveCommandName } from "#storage/archive/contents.ts";
import { isExactNumber, isObject, type Json, type JsonObject, parseJson, stringifyJson } from "#storage/json.ts";
import { isInteger } from "#storage/hash/canonical.ts";

/** Is part of every text of the documents made up here, and of nothing else; too long to come about by chance. */
const MARK = "§telling§";

const texts = fc
  .tuple(
    fc.string({ unit: "binary", maxLength: 5 }),
    fc.constantFrom("", "Type[", "]/", "/x[y]/", "::", ".example.com", "__proto__"),
  )
  .map((parts) => parts.join(MARK));
const keys = fc.oneof(texts, fc.constantFrom("__proto__", "constructor", "12", "password"));
const anything = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    texts,
    fc.constantFrom<Json>(null, true, 7, -1.5, parseJson("1.0"), parseJson("-12345678901234567890123")),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 4 }) as fc.Arbitrary<Json>,
  ),
})).value;

/** Anything at all, or what the format has there. */
function part(...keys: readonly string[]): fc.Arbitrary<Json> {
  const record = fc.record(Object.fromEntries(keys.map((key) => [key, anything])), { requiredKeys: [] });
  return fc.oneof(anything, record as fc.Arbitrary<Json>);
}

const list = (element: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof(anything, fc.array(element, { maxLength: 3 }));

/** What can be said in a document, without the few words that every profile keeps. */
const documents: Readonly<Record<ArchiveCommandName, fc.Arbitrary<JsonObject>>> = {
  "replace catalog": document({
    version: anything,
    code_id: anything,
    resources: list(part("type", "title", "tags", "file", "line", "parameters")),
    edges: list(fc.record({ source: part("type", "title"), target: part("type", "title") })),
  }),
  "store report": document({
    configuration_version: anything,
    resources: list(part("resource_type", "resource_title", "file", "line", "containment_path", "events")),
    logs: list(part("message", "source", "tags", "file", "line", "time")),
    metrics: list(fc.record({ category: fc.constant("time"), name: anything })),
  }),
  "replace facts": document({ values: anything, package_inventory: list(list(anything)) }),
  "replace catalog inputs": document({ inputs: list(list(anything)) }),
  "configure expiration": document({ expire: fc.record({ facts: fc.boolean() }) }),
};

function document(more: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> {
  const common = ["certname", "producer", "environment", "transaction_uuid", "catalog_uuid", "the key of nobody"];
  const fields = { ...Object.fromEntries(common.map((key) => [key, anything])), ...more };
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

/** What stays of a value whose words and numbers are hidden. */
function shape(value: Json): Json {
  if (Array.isArray(value)) return value.map(shape);
  if (isObject(value)) return Object.values(value).map(shape).concat("object");
  if (typeof value === "number" || isExactNumber(value)) return isInteger(value) ? "integer" : "float";
  return value === null ? null : typeof value;
}

describe.each(Object.keys(documents) as ArchiveCommandName[])("any document as %s", (command) => {
  it("contains none of its texts under the profile full", () => {
    fc.assert(
      fc.property(documents[command], (document) => {
        const before = stringifyJson(document);
        const after = stringifyJson(createAnonymizer({ profile: "full" }).apply(command, document));
        expect(after).not.toContain(MARK);
        expect(stringifyJson(document)).toBe(before);
      }),
    );
  });

  it("is anonymized to the same result each time, under every profile", () => {
    fc.assert(
      fc.property(documents[command], fc.constantFrom(...profileNames), (document, profile) => {
        const anonymizer = createAnonymizer({ profile });
        const [once, again] = [anonymizer.apply(command, document), anonymizer.apply(command, document)];
        expect(stringifyJson(again)).toBe(stringifyJson(once));
        expect(stringifyJson(parseJson(stringifyJson(once)))).toBe(stringifyJson(once));
      }),
    );
  });
});

it.each(profileNames)("facts and parameters keep their shape under the profile %s", (profile) => {
  fc.assert(
    fc.property(fc.dictionary(keys, anything) as fc.Arbitrary<JsonObject>, (values) => {
      const anonymizer = createAnonymizer({ profile });
      const facts = anonymizer.apply("replace facts", { values });
      expect(shape(facts["values"] as Json)).toEqual(shape(values));
      const catalog = anonymizer.apply("replace catalog", { resources: [{ parameters: values }] });
      const [{ parameters }] = catalog["resources"] as [{ parameters: Json }];
      expect(shape(parameters)).toEqual(shape(values));
    }),
  );
});

it("the profile low replaces names of nodes in every text", () => {
  const certnames = ["web-01.example.com", "db.plant-7.example.com"];
  const words = fc.oneof(
    fc.constantFrom(...certnames, "WEB-01.EXAMPLE.COM"),
    fc.constantFrom("", "/", "x", " ", "İ", ".", "-"),
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 6 }), (parts) => {
      const text = parts.join("");
      const anonymizer = createAnonymizer({ profile: "low", certnames });
      const after = anonymizer.apply("replace facts", { values: { [text]: [text, { text }] } });
      for (const certname of certnames) expect(stringifyJson(after).toLowerCase()).not.toContain(certname);
    }),
  );
});

it.each(["full", "low"] as const)(
  "a document that is nested deeper than a command may be is refused under the profile %s",
  (profile) => {
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as Json;
    const anonymizer = createAnonymizer({ profile });
    expect(() => anonymizer.apply("replace facts", { values: { deep } })).toThrow("nested deeper than 1000 levels");
    expect(() => anonymizer.apply("replace catalog", { edges: deep })).toThrow("nested deeper than 1000 levels");
  },
);
