/** Small changes of queries, most of which leave them valid or nearly so. */
import type { Random } from "#fixtures/random.ts";
import type { Json } from "#storage/json.ts";
import { compared } from "./queries.ts";

const operators = [
  "=",
  "!=",
  "~",
  "~>",
  ">",
  "<",
  ">=",
  "<=",
  "null?",
  "in",
  "and",
  "or",
  "not",
  "nope",
  "subquery",
  "extract",
  "from",
];
const comparisons = new Set(["=", "~", "~>", ">", "<", ">=", "<=", "null?"]);

const fieldNames = [...new Set(compared.flatMap(({ fields }) => Object.keys(fields)))];

const otherFields: readonly Json[] = [
  "nope",
  "node_state",
  "latest_report?",
  "facts.os.family",
  "facts.processors[0]",
  'facts."a.b"',
  'facts.match("k.*")',
  "facts.os.release.major",
  "facts.disks.0",
  "trusted.certname",
  "parameters.ensure",
  "parameters",
  "facts",
  "tag",
  ["fact", "kernel"],
  ["fact", "os"],
  ["fact", "nope"],
  ["parameter", "ensure"],
  ["node", "active"],
  ["function", "jsonb_typeof", "value"],
  ["certname"],
  1,
  null,
];

const operands: readonly Json[] = [
  "x",
  "",
  "4",
  "Linux",
  ".*",
  "(",
  "^$",
  "a|b",
  "(?i)linux",
  0,
  1,
  -3,
  1.5,
  1e30,
  true,
  false,
  null,
  [],
  ["os", "family"],
  ["os", 0],
  [".*", ".*"],
  {},
  { a: 1 },
  "true",
  "active",
  "any",
  "2026-11-20",
  "2026-11-20T12:00:00Z",
  "2026-11-20T12:00:00+02:00",
  "2026-11-20 12:00:00",
  "2026-11",
  "20261120",
  "yesterday",
  1795608000000,
];

const columns: readonly Json[] = [
  ["function", "count"],
  ["function", "count", "certname"],
  ["function", "max", "line"],
  ["function", "avg", "value"],
  ["function", "sum", "certname"],
  ["function", "min", "producer_timestamp"],
  ["function", "to_string", "producer_timestamp", "YYYY-MM-DD HH24:MI:SS"],
  ["function", "to_string", "receive_time", "FMDAY"],
  ["function", "to_string", "producer_timestamp"],
  ["function", "jsonb_typeof", "value"],
  ["function", "nope", "certname"],
  ["function"],
];

/** The query with one to three changes. */
export function mutatedAst(ast: Json, random: Random): Json {
  let changed = ast;
  for (let left = random.integer(1, 3); left > 0; left--) {
    changed = random.chance(0.15) ? wrapped(changed, random) : changedSomewhere(changed, random);
  }
  return changed;
}

/** The places of all lists in a query. */
function placesOf(ast: Json, at: readonly number[] = []): (readonly number[])[] {
  if (!Array.isArray(ast)) return [];
  return [at, ...ast.flatMap((each, index) => placesOf(each, [...at, index]))];
}

function replaceAt(ast: Json, [index, ...rest]: readonly number[], change: (inner: Json[]) => Json): Json {
  if (!Array.isArray(ast)) return ast;
  if (index === undefined) return change(ast);
  return ast.with(index, replaceAt(ast[index] ?? null, rest, change));
}

function changedSomewhere(ast: Json, random: Random): Json {
  const places = placesOf(ast);
  if (places.length === 0) return ast;
  return replaceAt(ast, random.pick(places), (inner) => changedList(inner, random));
}

function changedList(list: Json[], random: Random): Json {
  const [operator] = list;
  const isComparison = typeof operator === "string" && comparisons.has(operator);
  if (isComparison && random.chance(0.8)) return changedComparison(list, random);
  if (operator === "extract" && random.chance(0.5)) return changedExtract(list, random);
  if (operator === "from" && random.chance(0.6)) return changedFrom(list, random);
  switch (random.integer(0, 6)) {
    case 0:
      return list.length > 1 ? list.toSpliced(random.integer(1, list.length - 1), 1) : list;
    case 1:
      return [...list, random.pick([...operands, ["=", "certname", "x"]])];
    case 2:
      return list.length > 2 ? [operator ?? null, list[2] ?? null, list[1] ?? null, ...list.slice(3)] : list;
    case 3:
      return ["not", list];
    case 4:
      return [random.pick(["and", "or"]), list, ["=", "certname", random.pick(operands)]];
    case 5:
      return typeof operator === "string" ? [random.pick(operators), ...list.slice(1)] : list;
    default:
      return list.length > 1 ? list.with(random.integer(1, list.length - 1), random.pick(operands)) : list;
  }
}

function changedComparison([operator = null, field = null, ...operand]: Json[], random: Random): Json {
  const other = (): Json => (random.chance(0.6) ? random.pick(fieldNames) : random.pick(otherFields));
  switch (random.integer(0, 5)) {
    case 0:
      return [random.pick([...comparisons]), field, ...operand];
    case 1:
      return [operator, other(), ...operand];
    case 2:
      return [operator, field, random.pick(operands)];
    case 3:
      return ["not", [operator, field, ...operand]];
    case 4:
      return ["in", field, ["array", [...operand, ...random.pick([[], ["x"], [1, "1"], [null]])]]];
    default:
      return [random.pick([...comparisons]), other(), random.pick(operands)];
  }
}

function changedExtract([, fields = null, ...rest]: Json[], random: Random): Json {
  const list = Array.isArray(fields) ? fields : [fields];
  switch (random.integer(0, 3)) {
    case 0:
      return ["extract", [...list, random.pick(columns)], ...rest];
    case 1:
      return ["extract", [...list, random.pick(fieldNames)], ...rest];
    case 2:
      return ["extract", list, ...rest, ["group_by", ...random.pick([list, ["certname"], [random.pick(fieldNames)]])]];
    default:
      return ["extract", random.pick([list[0] ?? null, [], [...list, ...list]]), ...rest];
  }
}

function changedFrom([, entity = null, ...rest]: Json[], random: Random): Json {
  switch (random.integer(0, 3)) {
    case 0:
      return ["from", random.pick(compared).name, ...rest];
    case 1:
      return [
        "from",
        entity,
        ...rest,
        random.pick([["limit", 2], ["limit", "2"], ["offset", 1], ["limit", 0], ["offset", -1], ["limit"]]),
      ];
    case 2:
      return [
        "from",
        entity,
        ...rest,
        [
          "order_by",
          random.pick<Json>([
            ["certname"],
            [["certname", "desc"]],
            [["certname", "up"]],
            "certname",
            [random.pick(fieldNames)],
          ]),
        ],
      ];
    default:
      return ["from", entity, ["extract", ["certname"], ...rest.slice(0, 1)], ...rest.slice(1)];
  }
}

function wrapped(ast: Json, random: Random): Json {
  if (Array.isArray(ast) && ast[0] === "from") {
    const [, entity = null, query, ...rest] = ast;
    if (query === undefined) return ast;
    return ["from", entity, wrapped(query, random), ...rest];
  }
  if (Array.isArray(ast) && ast[0] === "extract") {
    const [, fields = null, ...rest] = ast;
    return ["extract", fields, ...rest.map((each, index) => (index === 0 ? wrapped(each, random) : each))];
  }
  return random.pick<Json>([
    ["not", ast],
    ["and", ast],
    ["or", ast, ["null?", "certname", true]],
    ["not", ["not", ast]],
    ["and", ast, ast],
    ["extract", ["certname"], ast],
    ["extract", [["function", "count"]], ast],
    ["extract", ["certname", ["function", "count"]], ast, ["group_by", "certname"]],
  ]);
}

const PUNCTUATION = "{ } [ ] ( ) ! \" ' , . ~ = < > ? # \\".split(" ").concat(" ");

type Rewrite = (text: string, random: Random) => string;

const replacedOnce = (pattern: RegExp, make: (found: string, random: Random) => string): Rewrite => {
  return (text, random) => text.replace(pattern, (found: string) => make(found, random));
};

const rewrites: readonly Rewrite[] = [
  replacedOnce(
    / (?:=|!=|~|!~|>|>=|<|<=) /,
    (_found, random) => ` ${random.pick(["=", "!=", "~", "!~", ">", ">=", "<", "<=", "~>", "in"])} `,
  ),
  replacedOnce(/\{ *[^{}]+? *\}/, (found, random) => {
    const inner = found.slice(1, -1).trim();
    const form = random.pick([
      "!(%)",
      "not (%)",
      "(%)",
      "!%",
      "not %",
      '(%) or certname = "x"',
      '% and certname ~ "."',
      "((%))",
      "% or (% and %)",
    ]);
    return `{ ${form.replaceAll("%", () => inner)} }`;
  }),
  (text, random) =>
    text.trimEnd().endsWith("}")
      ? `${text.trimEnd().slice(0, -1)} ${random.pick(["limit 3", "order by certname", "order by certname desc", "order by certname, name", "limit 2 offset 1", "offset 1", "group by certname", "order by certname limit 1", "and true", "or", "limit", "order by", "limit -1", "order by certname up"])} }`
      : text,
  (text, random) => text.replaceAll(/\s+/g, () => random.pick([" ", "  ", "\n", "\t"])),
  (text) => text.replaceAll(/\s*([=~<>{}[\](),])\s*/g, "$1"),
  replacedOnce(/"[^"]*"/, (found, random) => {
    const inner = found.slice(1, -1);
    return random.pick([
      `'${inner}'`,
      inner,
      `'${inner}`,
      `"${inner}\\n"`,
      `"\\u0041${inner}"`,
      "1",
      "1.5",
      "true",
      "null",
      '"2026-11-20"',
      "-1",
      "01",
      "1e3",
    ]);
  }),
  replacedOnce(/^\s*\w+/, (_found, random) =>
    random.pick([...compared.map(({ name }) => name), "Nodes", "fact-contents", "nodez"]),
  ),
  replacedOnce(/\[[^\]]*\]/, (_found, random) =>
    random.pick([
      "[certname]",
      "[count()]",
      "[certname, count()]",
      "[]",
      "[certname,]",
      "[ certname , environment ]",
      "[max(line)]",
      '[to_string(producer_timestamp,"YYYY")]',
      "[count(certname)]",
      "[certname, certname]",
      '["certname"]',
      "[facts.os.family]",
      "[nope]",
    ]),
  ),
  replacedOnce(/\b(?:and|or|not|in|limit|order by|group by)\b/, (found) => found.toUpperCase()),
  replacedOnce(/\b[a-z_]+(?= *(?:=|~|>|<|is|in)\b)/, (_found, random) => random.pick(fieldNames)),
  (text, random) => {
    const at = random.integer(0, text.length);
    return text.slice(0, at) + random.pick(PUNCTUATION) + text.slice(at);
  },
  (text, random) => {
    const at = random.integer(0, Math.max(0, text.length - 1));
    return text.slice(0, at) + text.slice(at + 1);
  },
];

/** The text with one to three changes. */
export function mutatedPql(text: string, random: Random): string {
  let changed = text;
  for (let left = random.integer(1, 3); left > 0; left--) changed = random.pick(rewrites)(changed, random);
  return changed;
}
