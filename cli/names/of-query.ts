import type { Json } from "#storage/json.ts";
import { pathText } from "#storage/diff/values.ts";
import { contentOf, nameIn, resourceFieldsOf } from "./name-fields.ts";
import type { UsedName } from "./used-name.ts";

/**
 * The names in a query that its source should have: texts that a field must be equal to, and facts in dotted names. What
 * is negated is left out, since an unknown name there does not leave out rows.
 * @param ast a query as AST
 */
export function namesOfQuery(ast: Json): UsedName[] {
  if (!Array.isArray(ast) || ast[0] !== "from") return [];
  return [...namesOfForm("", ast), ...contentOf(entityName(ast[1]))];
}

/** The names in a form of AST, which is a condition about `entity` or another query. */
function namesOfForm(entity: string, form: Json | undefined): UsedName[] {
  if (!Array.isArray(form)) return [];
  const [operator, ...args] = form;
  if (typeof operator !== "string") return [];
  switch (operator) {
    case "from":
    case "subquery":
      return namesOfForm(entityName(args[0]), args[1]);
    case "extract":
      return namesOfForm(entity, args[1]);
    case "and":
    case "or":
      return namesOfClauses(entity, operator === "and" ? flattened(args) : args);
    case "not":
      return [];
    case "in":
      return namesOfMembership(entity, args[0], args[1]);
    default:
      if (operator.startsWith("select_")) return namesOfForm(operator.slice("select_".length), args[0]);
      return isComparison(operator) ? namesOfClauses(entity, [form]) : [];
  }
}

/** The clauses of an `and`, those of an `and` inside it included. */
function flattened(clauses: readonly Json[]): Json[] {
  return clauses.flatMap((clause) =>
    Array.isArray(clause) && clause[0] === "and" ? flattened(clause.slice(1)) : [clause],
  );
}

/** The names in conditions that apply together, or of which one applies. */
function namesOfClauses(entity: string, clauses: readonly Json[]): UsedName[] {
  const equalities = new Map<string, string>();
  const names: UsedName[] = [];
  for (const clause of clauses) {
    const [operator, field, value] = Array.isArray(clause) ? clause : [];
    if (operator === "=" && typeof field === "string" && typeof value === "string") equalities.set(field, value);
    names.push(
      ...(isComparison(operator) ? namesOfComparison(entity, operator, field, value) : namesOfForm(entity, clause)),
    );
  }
  for (const fields of resourceFieldsOf(entity)) {
    const type = equalities.get(fields.type);
    if (type !== undefined) names.push({ kind: "resource", type, title: equalities.get(fields.title) });
  }
  return names;
}

const comparisons: readonly Json[] = ["=", "~", "<", ">", "<=", ">="];

function isComparison(operator: Json | undefined): operator is string {
  return operator !== undefined && comparisons.includes(operator);
}

function namesOfComparison(
  entity: string,
  operator: string,
  field: Json | undefined,
  value: Json | undefined,
): UsedName[] {
  if (Array.isArray(field)) {
    const [kind, name] = field;
    return kind === "fact" && typeof name === "string" ? factOf(name) : [];
  }
  if (typeof field !== "string") return [];
  const dotted = /^(?:facts\.(?<fact>.+)|(?<trusted>trusted\..+))$/.exec(field)?.groups;
  if (dotted !== undefined) return factOf(dotted["fact"] ?? dotted["trusted"] ?? "");
  if (operator !== "=") return [];
  if (field === "path" && Array.isArray(value)) return factOf(pathText(value.map(String)));
  return typeof value === "string" ? nameIn(entity, field, value) : [];
}

/** A fact, unless its name is written with quotes, an index or a pattern. */
function factOf(path: string): UsedName[] {
  return /["[(]/.test(path) ? [] : [{ kind: "fact", text: path }];
}

/** The names that a field, or one of the fields, is compared with, and those of a subquery. */
function namesOfMembership(entity: string, fields: Json | undefined, members: Json | undefined): UsedName[] {
  if (!Array.isArray(members)) return [];
  const [kind, values] = members;
  if (kind !== "array") return namesOfForm(entity, members);
  const field = Array.isArray(fields) && fields.length === 1 ? fields[0] : fields;
  if (typeof field !== "string" || !Array.isArray(values)) return [];
  return values.flatMap((value) => namesOfComparison(entity, "=", field, value));
}

/** An entity's name; AST writes it with a hyphen, too. */
function entityName(name: Json | undefined): string {
  return typeof name === "string" ? name.replaceAll("-", "_") : "";
}
