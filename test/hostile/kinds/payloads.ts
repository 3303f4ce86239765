import type { Random } from "#fixtures/random.ts";
import type { JsonObject } from "#storage/json.ts";
import type { CommandName } from "#storage/wire/commands.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { characters, mutated, numberText, timeText, word } from "./words.ts";

/** When everything of this campaign happened. */
const at = "2026-11-20T10:00:00Z";

/** Whole payloads. Reports are few different ones, so that a long campaign does not fill the store. */
const whole: Readonly<Record<CommandName, (certname: string, random: Random) => JsonObject>> = {
  "replace facts": (certname, random) =>
    payloads.facts({
      certname,
      producer_timestamp: at,
      values: { kernel: "Linux", uptime: random.integer(0, 5), os: { family: "Debian" }, list: [1, "x"] },
    }),
  "replace catalog": (certname) => payloads.catalog({ certname, producer_timestamp: at }),
  "store report": (certname) => payloads.report({ certname, producer_timestamp: at, start_time: at, end_time: at }),
  "replace catalog inputs": (certname) => payloads.inputs({ certname, producer_timestamp: at }),
  "deactivate node": (certname) => ({ certname, producer_timestamp: at }),
  "configure expiration": (certname, random) => ({
    certname,
    producer_timestamp: at,
    expire: { facts: random.chance(0.5) },
  }),
};

/** The text of a command's payload: whole, or broken in one of many ways. */
export function payloadText(command: CommandName | undefined, certname: string, random: Random): string {
  const payload = command === undefined ? { certname } : whole[command](certname, random);
  const text = JSON.stringify(payload);
  const form = random.integer(0, 19);
  if (form < 3) return text;
  if (form < 10) return withChangedValues(payload, random);
  if (form < 13) return mutated(text, random);
  if (form < 14)
    return random.pick([
      "",
      " ",
      "null",
      "[]",
      "1",
      '"x"',
      "{",
      "{}",
      "\u0000",
      "[[[[",
      "nul",
      "{}{}",
      '{"a":1,"a":2}',
    ]);
  if (form < 15) return characters(random, random.integer(1, 200));
  return oversized(payload, random);
}

/** Replaces one to three of the values in a payload, at any depth, by wild JSON. */
function withChangedValues(payload: JsonObject, random: Random): string {
  const marks: string[] = [];
  const copy = structuredClone(payload);
  for (let times = random.integer(1, 3); times > 0; times--) {
    const holders = allHolders(copy);
    const holder = random.pick(holders);
    const keys = Object.keys(holder);
    const key = random.chance(0.85) && keys.length > 0 ? random.pick(keys) : word(random).toWellFormed();
    if (random.chance(0.15)) delete (holder as Record<string, unknown>)[key];
    else if (key !== "__proto__") {
      (holder as Record<string, unknown>)[key] = `@${marks.length}@`;
      marks.push(wild(random, 2));
    }
  }
  return JSON.stringify(copy).replaceAll(/"@(\d+)@"/g, (_, index: string) => marks[Number(index)] ?? "null");
}

function allHolders(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(allHolders)];
}

/** The text of any JSON value. */
export function wild(random: Random, depth: number): string {
  const form = random.integer(0, depth > 0 ? 8 : 5);
  if (form === 0) return numberText(random);
  if (form === 1) return JSON.stringify(timeText(random));
  if (form === 2) return random.pick(["true", "false", "null", "{}", "[]", '""']);
  if (form < 6) return JSON.stringify(word(random));
  const parts = Array.from({ length: random.integer(0, 4) }, () => wild(random, depth - 1));
  if (form === 6) return `[${parts.join(",")}]`;
  return `{${parts.map((part) => `${JSON.stringify(word(random))}:${part}`).join(",")}}`;
}

/** A payload with one member that is deep, wide, long, or of large numbers. */
function oversized(payload: JsonObject, random: Random): string {
  const count = random.weighted([
    [100, 20],
    [1000, 10],
    [10_000, 3],
    [100_000, 0.5],
  ]);
  const list = (make: (index: number) => string): string => Array.from({ length: count }, (_, n) => make(n)).join(",");
  const value = random.pick([
    () => "[".repeat(count) + "]".repeat(count),
    () => `${'{"a":'.repeat(count)}1${"}".repeat(count)}`,
    () => `[${list(() => "1")}]`,
    () => `{${list((n) => `"k${n}":${n}`)}}`,
    () => `{${list((n) => `"k${n}":{"a":[{"b":${n}}]}`)}}`,
    () => `"${"é".repeat(count)}"`,
    () => `"${"\\u0000".repeat(count)}"`,
    () => "9".repeat(count),
    () => `1e${count}`,
    () => `[${list((n) => `1e${n}`)}]`,
    () => `{"${"k".repeat(count)}":1}`,
    () => `[${list(() => '["a","b","c"]')}]`,
  ])();
  const keys = Object.keys(payload);
  const key = random.pick([
    "values",
    "resources",
    "edges",
    "logs",
    "metrics",
    "inputs",
    "package_inventory",
    "certname",
    ...keys,
  ]);
  const members = { ...payload, [key]: "@@" };
  const form = key === "values" ? `{"huge":${value}}` : value;
  return JSON.stringify(members).replace('"@@"', () => form);
}
