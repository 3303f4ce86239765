import type { Json } from "#storage/json.ts";
import type { ParseFrom } from "./condition.ts";
import { parseCondition } from "./condition.ts";
import { parseEntity } from "./entity.ts";
import type { Scanner } from "./scanner.ts";

/** The parsers of queries inside an expression; the parser of whole queries passes them. */
export interface NestedQueries {
  readonly parseFrom: ParseFrom;
  /** Reads `{…}` into the arguments after the entity of a subquery. */
  readonly parseSubqueryBlock: (scanner: Scanner) => Json[] | undefined;
}

/** What was read of one pair of parentheses, or of the whole expression. */
interface Group {
  /** the number of `!` before the opening parenthesis */
  readonly negations: number;
  readonly alternatives: Json[];
  conjunction: Json[];
}

/**
 * Reads conditions with `!`, `and`, `or` and parentheses; undefined where there is none (reference/pql.md §1). Nested
 * nodes of one operator are merged into one, through parentheses as well.
 *
 * Open parentheses are stored in a list rather than on the call stack, which deep nesting would exhaust.
 */
export function parseExpression(scanner: Scanner, nested: NestedQueries): Json | undefined {
  const outer: Group[] = [];
  let group = newGroup(0);
  for (;;) {
    const negations = parseNegations(scanner);
    if (scanner.literal("(")) {
      scanner.enter();
      scanner.space();
      outer.push(group);
      group = newGroup(negations);
      continue;
    }
    const primary = parseSubquery(scanner, nested) ?? parseCondition(scanner, nested.parseFrom);
    if (primary === undefined) return undefined;
    addOperand(scanner, group, primary, negations);
    let connective = parseConnective(scanner);
    while (connective === undefined) {
      const enclosing = outer.pop();
      if (enclosing === undefined) return closeGroup(group);
      scanner.space();
      if (!scanner.literal(")")) return undefined;
      scanner.leave();
      addOperand(scanner, enclosing, closeGroup(group), group.negations);
      group = enclosing;
      connective = parseConnective(scanner);
    }
    if (connective === "or") closeConjunction(group);
  }
}

function newGroup(negations: number): Group {
  return { negations, alternatives: [], conjunction: [] };
}

function addOperand(scanner: Scanner, group: Group, operand: Json, negations: number): void {
  let node = operand;
  for (let count = 0; count < negations; count += 1) node = ["not", node];
  scanner.leave(negations);
  append(group.conjunction, "and", node);
}

function closeConjunction(group: Group): void {
  append(group.alternatives, "or", join("and", group.conjunction));
  group.conjunction = [];
}

function closeGroup(group: Group): Json {
  closeConjunction(group);
  return join("or", group.alternatives);
}

/** Adds an operand, or the operands of one that has the same operator. */
function append(operands: Json[], operator: string, operand: Json): void {
  if (!Array.isArray(operand) || operand[0] !== operator) operands.push(operand);
  else for (const inner of operand.slice(1)) operands.push(inner);
}

function join(operator: string, operands: Json[]): Json {
  const [first] = operands;
  return operands.length === 1 && first !== undefined ? first : [operator, ...operands];
}

function parseNegations(scanner: Scanner): number {
  let negations = 0;
  while (scanner.literal("!")) {
    scanner.enter();
    scanner.space();
    negations += 1;
  }
  return negations;
}

/** Reads `and` or `or`. PuppetDB requires white space on both sides, also beside signs. */
function parseConnective(scanner: Scanner): "and" | "or" | undefined {
  const start = scanner.position;
  if (scanner.space()) {
    const word = CONNECTIVES.find((connective) => scanner.literal(connective));
    if (word !== undefined && scanner.space()) return word;
  }
  BESIDE_SIGNS.lastIndex = start;
  const [text, word] = BESIDE_SIGNS.exec(scanner.text) ?? [];
  scanner.position = start + (text?.length ?? 0);
  return CONNECTIVES.find((connective) => connective === word);
}

const CONNECTIVES = ["and", "or"] as const;

/** Beside a name, white space is needed. */
const BESIDE_SIGNS = /[ \t\n\v\f\r]*(?<!\w)(and|or)(?:[ \t\n\v\f\r]+|(?=[(![]))/y;

function parseSubquery(scanner: Scanner, nested: NestedQueries): Json | undefined {
  const start = scanner.mark();
  const entity = parseEntity(scanner);
  if (entity !== undefined) {
    scanner.space();
    const block = nested.parseSubqueryBlock(scanner);
    if (block !== undefined) return ["subquery", entity, ...block];
  }
  scanner.reset(start);
  return undefined;
}
