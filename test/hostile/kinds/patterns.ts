import type { Random } from "#fixtures/random.ts";
import { word } from "./words.ts";

const atoms = [
  ".",
  "a",
  "web",
  "\\d",
  "\\w",
  "\\s",
  "\\S",
  "\\y",
  "\\m",
  "\\M",
  "\\A",
  "\\Z",
  "\\Y",
  "\\1",
  "\\2",
  "\\x41",
  "\\u0041",
  "\\U0001F600",
  "\\e",
  "\\0",
  "[a-z]",
  "[^a]",
  "[[:alpha:]]",
  "[[:<:]]",
  "[[.hyphen.]]",
  "[[=a=]]",
  "[]a]",
  "[z-a]",
  "[\\w]",
  "[[:nope:]]",
  "^",
  "$",
  "é",
  "😀",
  "()",
  "(?:)",
] as const;

const quantifiers = [
  "*",
  "+",
  "?",
  "*?",
  "+?",
  "??",
  "{2}",
  "{2,}",
  "{0,3}",
  "{255}",
  "{256}",
  "{3,2}",
  "{0}",
  "{,3}",
  "**",
  "{",
] as const;

const prefixes = ["(?i)", "(?x)", "(?n)", "(?s)", "(?q)", "***=", "***:", "***", "(?nope)", "(?e)", "(?b)"] as const;

const slow = [
  "(a+)+$",
  "(a|a)*b",
  "(.*)*x",
  "((a*)*)*b",
  "(.*a){20}",
  "(x+x+)+y",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(.+)\\1+z",
] as const;

/** A regular expression: right, wrong, slow, with everything that PostgreSQL knows. */
export function pattern(random: Random): string {
  const form = random.integer(0, 9);
  if (form === 0) return random.pick(slow);
  if (form === 1) return word(random);
  return (random.chance(0.15) ? random.pick(prefixes) : "") + branch(random, 3);
}

function branch(random: Random, depth: number): string {
  let text = "";
  for (let count = random.integer(1, 4); count > 0; count--) text += piece(random, depth);
  return random.chance(0.1) ? `${text}|${branch(random, Math.max(0, depth - 1))}` : text;
}

function piece(random: Random, depth: number): string {
  const atom =
    depth > 0 && random.chance(0.35)
      ? random.pick(["(", "(?:", "(?=", "(?!", "(?<=", "(?<!"]) +
        branch(random, depth - 1) +
        (random.chance(0.97) ? ")" : "")
      : random.pick(atoms);
  return random.chance(0.3) ? atom + random.pick(quantifiers) : atom;
}
