import * as fc from "fast-check";
import { exactNumber, type Json } from "#storage/json.ts";
import { entities, selectable } from "#storage/query/entities/index.ts";

/** Begins every text that a random query brings along, so that it is found wherever it turns up. */
export const MARK = "Zq7";

const nasty = [
  "'",
  '"',
  "''",
  "\\",
  "\0",
  "\ud800",
  "\udc00x",
  "'; DROP TABLE nodes; --",
  "$1",
  "$$",
  "?",
  "%s",
  "{}",
  "/*",
  "\n",
  "\u2028",
  "😀",
  "é",
  "1e400",
  "NaN",
  "(",
  "[a",
  "a{9999}",
  "(?i)",
  "\\1",
  "^$",
  "x\\y",
  "*",
  "**",
  "~1",
  "/",
  "#~",
  "[*]",
  "[-1]",
] as const;

const marked = fc
  .tuple(fc.constantFrom(...nasty, ""), fc.constantFrom(...nasty, ""))
  .map(([before, after]) => `${before}${MARK}${after}`);

const words = fc.oneof(
  marked,
  fc.constantFrom("alpha", "Linux", "Package", "changed", "agent", "production", "2026-11-20", "true", "", "os", "any"),
);

const numbers = fc.oneof(
  fc.constantFrom<Json>(0, 1, -1, 5, 2.5, 1e300, -1e-300, 2 ** 53, 2 ** 31),
  fc
    .constantFrom("5.0", "-0", "9007199254740993", "123456789012345678901234567890", "1e400", "-1e-400", "9".repeat(60))
    .map(exactNumber),
);

const scalars = fc.oneof(words, numbers, fc.constantFrom<Json>(true, false, null));

const fieldNames = [
  ...new Set([...Object.values(entities), ...selectable.values()].flatMap((entity) => Object.keys(entity.fields))),
];

const dotted = fc
  .tuple(
    fc.constantFrom("facts", "trusted", "parameters"),
    fc.array(
      fc.oneof(
        words,
        fc.constantFrom(
          "os",
          "family",
          "nics",
          "0",
          "nics[0]",
          "[0]",
          '"a.b"',
          'match("o.")',
          'match("(")',
          "x[99999999999999999999]",
        ),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([field, parts]) => [field, ...parts].join("."));

/** Names of fields: those of `entity` most of the time, any entity's, none's. */
function namesFor(entity: string): fc.Arbitrary<string> {
  const own = Object.keys(selectable.get(entity)?.fields ?? entities[entity]?.fields ?? {});
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...own) },
    { weight: 2, arbitrary: dotted },
    { weight: 1, arbitrary: fc.constantFrom(...fieldNames, "node_state", "tag", "__proto__", "toString") },
    { weight: 1, arbitrary: marked },
  );
}

const operands: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(words, scalars, { maxKeys: 2 }) },
);

const entityNames = Object.keys(entities);
const selectNames = [...selectable.keys()];

/** Conditions upon rows of `entity`, right ones and wrong ones. */
export function conditions(entity: string, depth = 2): fc.Arbitrary<Json> {
  const name = namesFor(entity);
  const target = fc.oneof(
    { weight: 8, arbitrary: name },
    { weight: 1, arbitrary: words.map((word): Json => ["fact", word]) },
    { weight: 1, arbitrary: words.map((word): Json => ["parameter", word]) },
    { weight: 1, arbitrary: fc.constant<Json>(["node", "active"]) },
    { weight: 1, arbitrary: name.map((field): Json => ["function", "jsonb_typeof", field]) },
  );
  const leaves = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom<Json>("=", "~", ">", "<", ">=", "<=", "~>", "null?"), target, operands)
        .map((clause): Json => clause),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(target, fc.array(operands, { maxLength: 40 }))
        .map(([field, list]): Json => ["in", field, ["array", list]]),
    },
    { weight: 1, arbitrary: operands },
    { weight: 1, arbitrary: fc.array(operands, { maxLength: 4 }) },
  );
  if (depth === 0) return leaves;
  const inner = conditions(entity, depth - 1);
  return fc.oneof(
    { weight: 4, arbitrary: leaves },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom("and", "or", "not"), inner).map((clause): Json => clause) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom("and", "or"), inner, inner).map((clause): Json => clause) },
    { weight: 2, arbitrary: fc.constantFrom(...selectNames).chain((other) => memberships(entity, other, depth)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...selectNames)
        .chain((other) => conditions(other, depth - 1).map((filter): Json => ["subquery", other, filter])),
    },
  );
}

function memberships(entity: string, other: string, depth: number): fc.Arbitrary<Json> {
  const outer = fc.oneof(namesFor(entity), fc.array(namesFor(entity), { minLength: 1, maxLength: 2 }));
  const inner = fc.oneof(namesFor(other), fc.array(namesFor(other), { minLength: 1, maxLength: 2 }));
  const filter = conditions(other, depth - 1);
  return fc.oneof(
    fc
      .tuple(outer, inner, filter)
      .map(([fields, columns, test]): Json => ["in", fields, ["extract", columns, [`select_${other}`, test]]]),
    fc
      .tuple(outer, inner, filter, pagings(other))
      .map(([fields, columns, test, paging]): Json => [
        "in",
        fields,
        ["from", other, ["extract", columns, test], ...paging],
      ]),
  );
}

/** Paging clauses, at most one of a kind most of the time. */
function pagings(entity: string): fc.Arbitrary<Json[]> {
  const count = fc.constantFrom<Json>(0, 1, 3, exactNumber("9223372036854775807"), -1, "1", MARK);
  const order = fc.tuple(namesFor(entity), fc.constantFrom("asc", "desc", MARK));
  const clause = fc.oneof(
    count.map((n): Json => ["limit", n]),
    count.map((n): Json => ["offset", n]),
    fc.array(order, { maxLength: 2 }).map((orders): Json => ["order_by", orders]),
  );
  return fc.array(clause, { maxLength: 2 });
}

function functions(entity: string): fc.Arbitrary<Json> {
  const name = namesFor(entity);
  return fc.oneof(
    fc.constant<Json>(["function", "count"]),
    fc
      .tuple(fc.constantFrom("count", "sum", "avg", "min", "max", "jsonb_typeof", MARK), name)
      .map(([fn, field]): Json => ["function", fn, field]),
    fc
      .tuple(name, fc.oneof(words, fc.constantFrom("YYYY-MM-DD", "Day", "FMHH12:MI:SS AM", "FM9990.00", "S9V9PR")))
      .map(([field, mask]): Json => ["function", "to_string", field, mask]),
  );
}

/** Whole queries upon `entity`: conditions, projections, groups. */
export function queries(entity: string): fc.Arbitrary<Json> {
  const columns = fc.array(
    fc.oneof({ weight: 3, arbitrary: namesFor(entity) }, { weight: 1, arbitrary: functions(entity) }),
    { maxLength: 3 },
  );
  const filter = conditions(entity, 1);
  return fc.oneof(
    { weight: 3, arbitrary: conditions(entity) },
    { weight: 1, arbitrary: columns.map((list): Json => ["extract", list]) },
    { weight: 1, arbitrary: fc.tuple(columns, filter).map(([list, test]): Json => ["extract", list, test]) },
    {
      weight: 2,
      // Grouped by what is projected, which is right unless it is a function.
      arbitrary: fc
        .tuple(columns, filter, fc.array(namesFor(entity), { maxLength: 1 }))
        .map(([list, test, more]): Json => [
          "extract",
          [...list, ["function", "count"]],
          test,
          ["group_by", ...list.filter((column) => typeof column === "string"), ...more],
        ]),
    },
  );
}

/** Columns to order by, as a request has them. */
export function orderings(entity: string): fc.Arbitrary<{ field: string; descending: boolean }[]> {
  return fc.array(fc.record({ field: namesFor(entity), descending: fc.boolean() }), { maxLength: 2 });
}

export { entityNames };
