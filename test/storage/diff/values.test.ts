import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareValues, pathText, type ValueChange } from "#storage/diff/values.ts";
import { isObject, type Json, parseJson, stringifyJson } from "#storage/json.ts";

/** `kind place: from → to`, for short expectations. */
function changeText(change: ValueChange): string {
  const values = [...("from" in change ? [change.from] : []), ...("to" in change ? [change.to] : [])];
  return `${change.kind} ${pathText(change.path)}: ${values.map(stringifyJson).join(" → ")}`;
}

describe("differences between two documents", () => {
  it.each<[name: string, from: string, to: string, differences: string[]]>([
    ["nothing for another order of keys", '{"a":1,"b":{"c":[]}}', '{"b":{"c":[]},"a":1}', []],
    ["a value", '{"a":1}', '{"a":2}', ["changed a: 1 → 2"]],
    ["a value deep inside", '{"a":{"b":{"c":"x"}}}', '{"a":{"b":{"c":"y"}}}', ['changed a.b.c: "x" → "y"']],
    ["a key that came and one that went", '{"a":1}', '{"b":1}', ["removed a: 1", "added b: 1"]],
    ["what was there as null and is gone", '{"a":null}', "{}", ["removed a: null"]],
    ["null and something", '{"a":null}', '{"a":false}', ["changed a: null → false"]],
    ["an element of lists of one length", '{"a":[1,{"b":2}]}', '{"a":[1,{"b":3}]}', ["changed a[1].b: 2 → 3"]],
    ["lists of other lengths as a whole", '{"a":[1,2]}', '{"a":[0,1,2]}', ["changed a: [1,2] → [0,1,2]"]],
    ["an object and a list", '{"a":{}}', '{"a":[]}', ["changed a: {} → []"]],
    ["an object and none", '{"a":{"b":1}}', '{"a":{}}', ["removed a.b: 1"]],
    ["a text and a number", '{"a":"1"}', '{"a":1}', ['changed a: "1" → 1']],
    ["a float and an integer", '{"a":1.0}', '{"a":1}', ["changed a: 1.0 → 1"]],
    ["nothing, however a number is spelled", '{"a":1.50,"b":1e3,"c":-0.0}', '{"a":1.5,"b":1000.0,"c":0.0}', []],
    [
      "the last of many digits",
      '{"a":9007199254740993}',
      '{"a":9007199254740992}',
      ["changed a: 9007199254740993 → 9007199254740992"],
    ],
    ["keys of the language", '{"__proto__":1}', '{"constructor":2}', ["removed __proto__: 1", "added constructor: 2"]],
    ["the whole", "1", "[1]", ["changed : 1 → [1]"]],
  ])("%s", (_name, from, to, differences) => {
    expect(compareValues(parseJson(from), parseJson(to)).map(changeText)).toStrictEqual(differences);
  });
});

describe("a path is written", () => {
  it.each<[(string | number)[], string]>([
    [["os", "release", "major"], "os.release.major"],
    [["services", 0, "port"], "services[0].port"],
    [["mountpoints", "/srv/spool area", "used"], "mountpoints./srv/spool area.used"],
    [["trusted", "extensions", "1.3.6.1"], 'trusted.extensions."1.3.6.1"'],
    [["a", "", 'say "x"', "[0]", "\n"], String.raw`a.""."say \"x\""."[0]"."\n"`],
  ])("%j as %s", (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});

/** A document with the changes made to it. */
function applied(document: Json | undefined, changes: readonly ValueChange[]): Json | undefined {
  let result = structuredClone(document);
  for (const change of changes) {
    const value = change.kind === "removed" ? undefined : change.to;
    const [last, ...before] = [...change.path].reverse();
    if (last === undefined) {
      result = value;
      continue;
    }
    const holder = before.reverse().reduce<Json | undefined>((inside, key) => at(inside, key), result);
    if (Array.isArray(holder) && typeof last === "number" && value !== undefined) holder[last] = value;
    else if (isObject(holder) && value === undefined) delete holder[last];
    else if (isObject(holder) && value !== undefined) set(holder, String(last), value);
  }
  return result;
}

function at(holder: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(holder)) return typeof key === "number" ? holder[key] : undefined;
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Of the object itself, even where the key is `__proto__`. */
function set(holder: object, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function reversed(change: ValueChange): ValueChange {
  const { path } = change;
  if (change.kind === "added") return { kind: "removed", path, from: change.to };
  if (change.kind === "removed") return { kind: "added", path, to: change.from };
  return { kind: "changed", path, from: change.to, to: change.from };
}

/** Small documents, so that two of them often have something in common. */
const documents = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, "x", "", 0, 1, 2.5),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c.d", "", "__proto__"), tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

describe("differences between any documents", () => {
  it("are none between equal ones", () => {
    fc.assert(
      fc.property(documents, (value) => {
        expect(compareValues(value, structuredClone(value))).toStrictEqual([]);
      }),
    );
  });

  it("turn the first one into the second when they are applied", () => {
    fc.assert(
      fc.property(documents, documents, (from, to) => {
        expect(compareValues(applied(from, compareValues(from, to)), to)).toStrictEqual([]);
      }),
    );
  });

  it("are reversed in the other direction", () => {
    fc.assert(
      fc.property(documents, documents, (from, to) => {
        expect(compareValues(to, from)).toStrictEqual(compareValues(from, to).map(reversed));
      }),
    );
  });
});
