import type { SilentAfter } from "#storage/states/node-state.ts";
import { days } from "#storage/time.ts";
import { type Kind, textual } from "./kind.ts";

/** Microseconds; the largest first. */
const units = [
  ["d", 86_400_000_000n],
  ["h", 3_600_000_000n],
  ["m", 60_000_000n],
  ["s", 1_000_000n],
  ["ms", 1000n],
] as const;

/** A thousand years: longer ones would count beyond the times that can be stored. */
const LONGEST = days(365_000);

/** The same in milliseconds. */
const LONGEST_MS = Number(LONGEST / 1000n);

/**
 * A number and its unit; the value is in microseconds. A bare number is invalid: PuppetDB refuses it in an ini file,
 * and a user who means fourteen days must not get fourteen minutes.
 */
export const duration: Kind<bigint> = textual(
  { name: "duration", expects: "a duration, e.g. 14d, 12h, 60m, 30s or 500ms", hint: "DURATION" },
  (text) => {
    const { number, unit } = /^(?<number>\d{1,15})(?<unit>ms|[dhms])$/.exec(text)?.groups ?? {};
    const factor = units.find(([name]) => name === unit)?.[1];
    if (number === undefined || factor === undefined) return undefined;
    const micros = BigInt(number) * factor;
    return micros <= LONGEST ? micros : undefined;
  },
  (micros) => {
    const [name, factor] = (micros === 0n ? undefined : units.find(([, factor]) => micros % factor === 0n)) ?? units[3];
    return `${micros / factor}${name}`;
  },
);

/** A duration, or the word for a node's own interval. */
export const silentAfter: Kind<SilentAfter> = textual(
  { name: "duration", expects: "a duration, e.g. 2h or 90m, or interval", hint: "DURATION" },
  (text, base) => {
    if (text === "interval") return text;
    const micros = duration.read(text, base);
    return micros === undefined ? undefined : Number(micros) / 1000;
  },
  (after) => (after === "interval" ? after : duration.print(BigInt(after) * 1000n)),
);

/**
 * Minutes, with or without a fraction; the value is in milliseconds, at least one for anything but 0
 * (`reference/lifecycle.md §5`).
 */
export const minutes: Kind<number> = textual(
  { name: "minutes", expects: "a number of minutes, 0 or more, e.g. 60 or 0.5", hint: "MINUTES" },
  (text) => decimal(text, 60_000),
  (ms) => String(ms / 60_000),
);

/** Seconds, with a fraction if need be; the program gets milliseconds. */
export const seconds: Kind<number> = textual(
  { name: "seconds", expects: "a number of seconds, 0 or more, e.g. 600 or 0.5", hint: "SECONDS" },
  (text) => decimal(text, 1000),
  (ms) => String(ms / 1000),
);

/** Milliseconds. */
export const milliseconds: Kind<number> = textual(
  { name: "milliseconds", expects: "a whole number of milliseconds, 0 or more", hint: "MS" },
  (text) => (/^\d+$/.test(text) ? decimal(text, 1) : undefined),
);

function decimal(text: string, unit: number): number | undefined {
  if (!/^(?:\d+|\d*\.\d+)$/.test(text)) return undefined;
  const exact = Number(text) * unit;
  if (exact > LONGEST_MS) return undefined;
  return exact === 0 ? 0 : Math.max(1, Math.round(exact));
}
