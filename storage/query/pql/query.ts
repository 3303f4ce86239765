import type { Json } from "#storage/json.ts";
import { parseEntity } from "./entity.ts";
import { parseExpression } from "./expression.ts";
import { parseField } from "./field.ts";
import { END_LABELS, FUNCTIONS, NOT_DIRECTION_LABEL } from "./grammar.ts";
import { parseFunction, parseItems } from "./items.ts";
import { parseInteger } from "./literal.ts";
import type { Scanner } from "./scanner.ts";
import { QUERY_LEVELS } from "./scanner.ts";

/** The parts between the braces of a query, as AST clauses. */
interface Block {
  readonly filter: Json[];
  readonly groupBy: Json[];
  /** `limit`, `offset` and `order_by` in the order of the query; PuppetDB preserves the order, and repeated ones too */
  readonly paging: Json[];
}

const nested = { parseFrom, parseSubqueryBlock };

/** Reads a whole query up to the end of the text; undefined when there is a syntax error. */
export function parseQuery(scanner: Scanner): Json | undefined {
  scanner.space();
  const query = parseFrom(scanner);
  if (query === undefined) return undefined;
  const end = scanner.position;
  scanner.space();
  if (scanner.position === scanner.text.length) return query;
  scanner.position = end;
  for (const label of END_LABELS) scanner.miss(label);
  return undefined;
}

/**
 * Reads `entity[items]{…}`. With a projection, the filter and the grouping are arguments of `extract`; without one they
 * are arguments of `from`, as paging always is (reference/pql.md §3).
 */
function parseFrom(scanner: Scanner): Json | undefined {
  const entity = parseEntity(scanner);
  if (entity === undefined) return undefined;
  scanner.space();
  const projected = scanner.literal("[");
  const fields = projected ? parseProjection(scanner) : [];
  if (fields === undefined) return undefined;
  if (projected) scanner.space();
  const block = parseBlock(scanner);
  if (block === undefined) return undefined;
  const { filter, groupBy, paging } = block;
  if (!projected) return ["from", entity, ...filter, ...groupBy, ...paging];
  return ["from", entity, ["extract", fields, ...filter, ...groupBy], ...paging];
}

/** Reads `items ]` after the opening bracket. */
function parseProjection(scanner: Scanner): Json[] | undefined {
  scanner.space();
  const start = scanner.position;
  const fields = parseItems(scanner, ["]"]);
  if (fields === undefined) scanner.position = start;
  scanner.space();
  return scanner.literal("]") ? (fields ?? []) : undefined;
}

function parseSubqueryBlock(scanner: Scanner): Json[] | undefined {
  const block = parseBlock(scanner);
  return block && [...block.filter, ...block.groupBy, ...block.paging];
}

function parseBlock(scanner: Scanner): Block | undefined {
  if (!scanner.literal("{")) return undefined;
  scanner.enter(QUERY_LEVELS);
  scanner.space();
  const start = scanner.mark();
  const expression = parseExpression(scanner, nested);
  if (expression === undefined) scanner.reset(start);
  scanner.space();
  const groupBy = parseGroupBy(scanner);
  if (groupBy !== undefined) scanner.space();
  // PuppetDB has no paging of groups, and its messages do not list it.
  const isPaged =
    groupBy === undefined || PAGING.some(({ keyword }) => scanner.text.startsWith(keyword, scanner.position));
  const paging = isPaged ? parsePaging(scanner) : [];
  if (paging === undefined) return undefined;
  scanner.space();
  if (!scanner.literal("}")) return undefined;
  scanner.leave(QUERY_LEVELS);
  return { filter: listOf(expression), groupBy: listOf(groupBy), paging };
}

function listOf(clause: Json | undefined): Json[] {
  return clause === undefined ? [] : [clause];
}

function parseGroupBy(scanner: Scanner): Json | undefined {
  const start = scanner.position;
  if (scanner.literal("group by") && scanner.space()) {
    const items = parseItems(scanner, ["}"]);
    if (items !== undefined) return ["group_by", ...items];
  }
  scanner.position = start;
  return undefined;
}

/** Reads any number of paging clauses; undefined when one is incomplete. */
function parsePaging(scanner: Scanner): Json[] | undefined {
  const clauses: Json[] = [];
  for (;;) {
    const keyword = PAGING.find(({ keyword }) => scanner.literal(keyword));
    if (keyword === undefined) return clauses;
    const argument = scanner.space() ? keyword.parse(scanner) : undefined;
    if (argument === undefined) return undefined;
    clauses.push([keyword.operator, argument]);
    scanner.space();
  }
}

const PAGING: readonly { keyword: string; operator: string; parse: (scanner: Scanner) => Json | undefined }[] = [
  { keyword: "limit", operator: "limit", parse: parseInteger },
  { keyword: "offset", operator: "offset", parse: parseInteger },
  { keyword: "order by", operator: "order_by", parse: parseOrder },
];

function parseOrder(scanner: Scanner): Json[] | undefined {
  const items: Json[] = [];
  for (;;) {
    const item = parseOrderItem(scanner);
    if (item === undefined) return undefined;
    items.push(item);
    scanner.space();
    if (!scanner.literal(",")) return items;
    scanner.space();
  }
}

const DIRECTIONS = ["asc", "desc"] as const;
const ORDER_FOLLOWERS = [",", "}", ...DIRECTIONS, ...PAGING.map(({ keyword }) => keyword)];

function parseOrderItem(scanner: Scanner): Json | undefined {
  // PuppetDB rejects every field whose name begins like a direction, such as `description`.
  if (DIRECTIONS.some((direction) => scanner.text.startsWith(direction, scanner.position))) {
    scanner.miss(NOT_DIRECTION_LABEL);
    return undefined;
  }
  // PuppetDB takes a field only, and its messages list no functions here.
  const isCall = FUNCTIONS.some((name) => scanner.text.startsWith(`${name}(`, scanner.position));
  const called = isCall ? parseFunction(scanner) : undefined;
  const field = called ?? parseField(scanner, ORDER_FOLLOWERS, true);
  if (field === undefined) return undefined;
  const start = scanner.position;
  if (scanner.space()) {
    for (const direction of DIRECTIONS) if (scanner.literal(direction)) return [field, direction];
  }
  scanner.position = start;
  return called === undefined ? field : [called, "asc"];
}
