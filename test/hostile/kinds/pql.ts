import type { Random } from "#fixtures/random.ts";
import { entityNames, fieldsOf } from "./fields.ts";
import { pattern } from "./patterns.ts";
import { numberText, timeText, word } from "./words.ts";

/** A PQL query after its grammar, with wild operands. */
export function pqlText(random: Random): string {
  const entity = random.pick(entityNames);
  const projection = random.chance(0.4) ? `[${projected(entity, random)}]` : "";
  return `${entity}${space(random)}${projection}${space(random)}{${space(random)}${body(entity, random)}${space(random)}}`;
}

function space(random: Random): string {
  return random.weighted([
    ["", 10],
    [" ", 5],
    ["\n\t ", 1],
    ["\u00a0", 0.2],
  ]);
}

function projected(entity: string, random: Random): string {
  return Array.from({ length: random.integer(1, 3) }, () => {
    if (random.chance(0.7)) return name(entity, random);
    const call = random.pick(["count", "sum", "avg", "min", "max", "to_string", "jsonb_typeof", "nope"]);
    const field = random.chance(0.3) ? "" : name(entity, random);
    return `${call}(${field}${call === "to_string" ? `, ${text(word(random), random)}` : ""})`;
  }).join(", ");
}

function body(entity: string, random: Random): string {
  const parts: string[] = [];
  if (random.chance(0.85)) parts.push(condition(entity, random, 3));
  if (random.chance(0.15)) parts.push(`group by ${name(entity, random)}`);
  if (random.chance(0.2)) parts.push(`order by ${name(entity, random)} ${random.pick(["", "asc", "desc"])}`);
  if (random.chance(0.3)) parts.push(`limit ${random.chance(0.8) ? random.integer(0, 99) : numberText(random)}`);
  if (random.chance(0.1)) parts.push(`offset ${random.chance(0.8) ? random.integer(0, 99) : numberText(random)}`);
  return parts.join(" ");
}

function condition(entity: string, random: Random, depth: number): string {
  const form = depth > 0 ? random.integer(0, 9) : 9;
  if (form === 0) return `!${condition(entity, random, depth - 1)}`;
  if (form === 1) return `(${condition(entity, random, depth - 1)})`;
  if (form < 5) {
    return `${condition(entity, random, depth - 1)} ${random.pick(["and", "or"])} ${condition(entity, random, depth - 1)}`;
  }
  if (form === 5) {
    const other = random.pick(entityNames);
    const columns = random.chance(0.7) ? name(other, random) : `${name(other, random)}, ${name(other, random)}`;
    const outer = random.chance(0.7) ? name(entity, random) : `[${name(entity, random)}, ${name(entity, random)}]`;
    return `${outer} in ${other}[${columns}]{${condition(other, random, depth - 1)}}`;
  }
  if (form === 6) {
    const other = random.pick(entityNames);
    return `${other}{${condition(other, random, depth - 1)}}`;
  }
  if (form === 7) return `${name(entity, random)} is ${random.pick(["null", "not null"])}`;
  if (form === 8) {
    const list = Array.from({ length: random.integer(0, 5) }, () => value(random)).join(", ");
    return `${name(entity, random)} in [${list}]`;
  }
  const operator = random.pick(["=", "!=", "<", ">", "<=", ">=", "~", "!~", "~>"]);
  const operand = operator.includes("~") ? text(pattern(random), random) : value(random);
  return `${name(entity, random)} ${operator} ${operator === "~>" ? `[${operand}]` : operand}`;
}

function name(entity: string, random: Random): string {
  const form = random.integer(0, 19);
  if (form < 15) return random.pick(fieldsOf(entity));
  if (form < 17)
    return `facts.${random.pick(["os.family", "kernel", "nics[0].mtu", '"a.b"', 'match("o.")', "x[99999999999]"])}`;
  if (form === 17) return `parameters.${random.pick(["ensure", "a.b", "x[0]"])}`;
  if (form === 18) return `trusted.${random.pick(["certname", "extensions.role"])}`;
  return word(random);
}

function value(random: Random): string {
  return random.pick([
    () => numberText(random),
    () => random.pick(["true", "false", "null"]),
    () => text(timeText(random), random),
    () => text(word(random), random),
    () => text(word(random), random),
  ])();
}

function text(content: string, random: Random): string {
  const quote = random.pick(['"', "'"]);
  const inside = random.chance(0.9) ? content.replaceAll(/["'\\]/g, String.raw`\$&`) : content;
  return quote + inside + quote;
}
