import type { Random } from "#fixtures/random.ts";
import { commandNames } from "#storage/wire/commands.ts";

/** Nodes that attacks may write, replace and delete. */
export const hostileNodes: readonly string[] = Array.from({ length: 24 }, (_, index) => `hostile-${index}.example.com`);

const nasty = [
  "",
  " ",
  "'",
  '"',
  "\\",
  "\0",
  "\u0001\u001f",
  "\r\n",
  "\ud800",
  "\udc00\ud800",
  "\u2028",
  "\ufeff",
  "\u202e",
  "😀",
  "é",
  "e\u0301",
  "İı",
  "ß",
  "';--",
  "' OR 1=1 --",
  "'; DROP TABLE nodes; --",
  "\"; COPY nodes TO '/tmp/x'; --",
  "$1",
  "?",
  "%",
  "%00",
  "%s%n",
  "_",
  "{}",
  "[",
  "]]",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "..",
  ".",
  "/",
  "//",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-0",
  "1e400",
  "true",
  "${7*7}",
  "{{7*7}}",
  "\x1b[31m",
  "a".repeat(300),
  "é".repeat(5000),
] as const;

const usual = [
  "kernel",
  "Linux",
  "os",
  "Debian",
  "File",
  "Class",
  "Package",
  "changed",
  "failed",
  "success",
  "agent",
  "production",
  "any",
  "active",
  "uptime",
  "main",
  "notifies",
] as const;

/** A text: a common word, a hostile one, both together, or random characters. */
export function word(random: Random): string {
  const form = random.integer(0, 9);
  if (form < 4) return random.pick(usual);
  if (form < 7) return random.pick(nasty);
  if (form < 8) return random.pick(nasty) + random.pick(usual) + random.pick(nasty);
  return characters(random, random.integer(1, 12));
}

/** Random characters of the whole of Unicode, surrogates on their own included. */
export function characters(random: Random, count: number): string {
  let text = "";
  for (let index = 0; index < count; index++) {
    text += String.fromCharCode(random.chance(0.7) ? random.integer(32, 126) : random.integer(0, 0xffff));
  }
  return text;
}

/** Random bytes. */
export function noise(random: Random, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let index = 0; index < count; index++) bytes[index] = random.integer(0, 255);
  return bytes;
}

const numbers = [
  "0",
  "-0",
  "1",
  "-1",
  "2.5",
  "1.0",
  "1e3",
  "1E+2",
  "1e308",
  "1e309",
  "-1e309",
  "1e400",
  "1e-400",
  "5e-324",
  "0.1e1",
  "2147483647",
  "2147483648",
  "-2147483649",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775809",
  "18446744073709551616",
  "170141183460469231731687303715884105728",
  "99999999999999999999999999999999999999",
  "9".repeat(400),
  `0.${"1".repeat(400)}`,
  `1e${"9".repeat(20)}`,
] as const;

/** The text of a JSON number. */
export function numberText(random: Random): string {
  return random.chance(0.3) ? String(random.integer(-1000, 1000)) : random.pick(numbers);
}

const times = [
  "2026-11-20T10:00:00Z",
  "2026-11-20T10:00:00.123456789Z",
  "2026-11-20T10:00:00+0000",
  "2026-11-20T10:00:00-0500",
  "2026-11-20 18:05:00",
  "2026-11-20",
  "2026-11",
  "2026",
  "2026-W47-5",
  "2026-324",
  "20261120T100000Z",
  "Fri, 20 Nov 2026 10:00:00 GMT",
  "1795370000",
  "1795370000000",
  "-1",
  "99999999999999999999",
  "T18",
  "2026-11-20T24:00:00Z",
  "2026-11-20T25:00:00Z",
  "2026-02-30",
  "0000-01-01T00:00:00Z",
  "-0001-01-01T00:00:00Z",
  "+275760-09-13T00:00:00Z",
  "+999999999-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "294277-01-09T04:00:54.775807Z",
  "1969-12-31T23:59:59.9999999Z",
  "2026-11-20T10:00:00,5Z",
  "2026-11-20T10:00:60Z",
  "2026-11-20T10:00:00+99:99",
  "now",
  "infinity",
  "-infinity",
  "epoch",
  "2026-11-20T10:00:00Z[Europe/Berlin]",
] as const;

/** A time, or what looks like one. */
export function timeText(random: Random): string {
  const text = random.pick(times);
  return random.chance(0.9) ? text : mutated(text, random);
}

/** A name of a command, mostly one that exists. */
export function commandName(random: Random): string {
  return random.chance(0.95) ? random.pick(commandNames) : word(random);
}

/** A text with some of its characters deleted, doubled, exchanged, or replaced. */
export function mutated(text: string, random: Random): string {
  let result = text;
  for (let times = random.integer(1, 3); times > 0; times--) {
    const at = random.integer(0, result.length);
    const until = Math.min(result.length, at + random.integer(1, random.chance(0.8) ? 3 : 40));
    const [before, middle, after] = [result.slice(0, at), result.slice(at, until), result.slice(until)];
    const changes = [
      () => before + after,
      () => before + middle + middle + after,
      () => before + word(random) + after,
      () =>
        before + random.pick(["(", ")", "[", "]", "{", "}", ",", '"', "'", "\\", "~", "!", "=", "0"]) + middle + after,
      () => after + middle + before,
    ];
    result = random.pick(changes)();
  }
  return result;
}

/** Bytes with some of them changed, deleted, doubled, or cut off. */
export function mutatedBytes(bytes: Buffer, random: Random): Buffer {
  let result = Buffer.from(bytes);
  for (let times = random.integer(1, 4); times > 0 && result.length > 0; times--) {
    const at = random.integer(0, result.length - 1);
    const form = random.integer(0, 4);
    if (form === 0) result[at] = random.integer(0, 255);
    else if (form === 1) result = result.subarray(0, at);
    else if (form === 2)
      result = Buffer.concat([result.subarray(0, at), noise(random, random.integer(1, 20)), result.subarray(at)]);
    else if (form === 3) result = Buffer.concat([result.subarray(0, at), result.subarray(at + random.integer(1, 50))]);
    else result = Buffer.concat([result, result.subarray(at)]);
  }
  return result;
}
