import { CensusError } from "#storage/errors.ts";
import { cellText } from "#storage/output/cells.ts";
import { UsageError } from "../errors.ts";
import { pathText } from "#storage/diff/values.ts";
import { readPath } from "#storage/query/pql/path-text.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { wildcardExpression } from "#storage/query/wildcard.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import { type KnownNode, knownNames, knownNodes, knownPaths, listCommand } from "./known-names.ts";
import { nearestNames } from "./nearest.ts";
import type { ListedKind, UsedName } from "./used-name.ts";

/** What is known of the names of a query without rows. */
export interface CheckedNames {
  /** The certname or hash that a short name is for; the query is to be run again with it. */
  readonly fullName: string | undefined;
  /** Why there is nothing, a line each. */
  readonly remarks: readonly string[];
}

const nothingFound: CheckedNames = { fullName: undefined, remarks: [] };

/** More known names than this are not listed in a message. */
const FEW = 6;

/**
 * Explains why a query with these names has no rows.
 * @param where prefix of messages, e.g. `events: `
 * @throws UsageError when the source does not know a name
 * @throws CensusError "not-found" when it has no names of the kind
 */
export async function checkNames(where: string, names: readonly UsedName[], readRows: ReadRows): Promise<CheckedNames> {
  const checked: CheckedNames[] = [];
  for (const name of names) checked.push(await checkName(where, name, readRows));
  return {
    fullName: checked.find(({ fullName }) => fullName !== undefined)?.fullName,
    remarks: checked.flatMap(({ remarks }) => remarks),
  };
}

async function checkName(where: string, name: UsedName, readRows: ReadRows): Promise<CheckedNames> {
  if (name.kind === "resource") return checkResource(where, name, readRows);
  if (name.kind === "word") return checkWord(where, name);
  if (name.kind === "report") return checkReport(where, name.text, readRows);
  if (name.kind === "hash") return (await findReport(where, name.text, readRows)) ?? unknownReport(where, name.text);
  if (name.kind === "certnames") {
    return checkPattern("certname", name.text, certnames(where, await knownNodes(readRows)));
  }
  if (name.kind === "certname") return checkCertname(where, name.text, await knownNodes(readRows));
  if (name.kind === "certname or fact") return checkCertnameOrFact(where, name.text, readRows);
  if (name.kind === "fact" && (readPath(name.text)?.length ?? 0) > 1) return checkPath(where, name.text, readRows);
  return checkListed(where, name.kind, name.text, await knownNames(name.kind, readRows));
}

/** @throws CensusError "not-found" when there are no names of the kind at all */
function checkListed(
  where: string,
  kind: Exclude<ListedKind, "certname">,
  text: string,
  names: readonly string[],
): CheckedNames {
  if (names.length === 0) throw new CensusError("not-found", `${where}${noneAtAll[kind]}`);
  if (text.includes("*") && (kind === "class" || kind === "package")) return checkPattern(kind, text, names);
  if (names.includes(kind === "class" ? text.toLowerCase() : text)) return nothingFound;
  throw unknown(where, kind, text, names, listCommand(kind));
}

const noneAtAll: Readonly<Record<Exclude<ListedKind, "certname">, string>> = {
  fact: "the source contains no facts",
  class: "the source contains no catalogs with classes",
  environment: "the source contains no environments",
  package:
    "the source contains no packages. Nodes send them with their facts if the package inventory is collected (in Puppet Enterprise, puppet_enterprise::profile::agent::package_inventory_enabled); exports of PuppetDB leave them out, those of Census do not",
  provider: "the source contains no packages",
  producer: "the source contains no producers",
};

function checkWord(where: string, { of, text, words }: Extract<UsedName, { kind: "word" }>): CheckedNames {
  if (words.includes(text)) return nothingFound;
  throw new UsageError(`${where}unknown ${of} ${JSON.stringify(text)}; there are ${words.join(", ")}`);
}

function checkPattern(kind: ListedKind, text: string, names: readonly string[]): CheckedNames {
  const pattern = new RegExp(`^${wildcardExpression(text)}$`, kind === "class" ? "i" : "");
  if (names.some((name) => pattern.test(name))) return nothingFound;
  return {
    fullName: undefined,
    remarks: [`no ${kind} matches ${JSON.stringify(text)}; ${listCommand(kind)} lists all`],
  };
}

/**
 * The node whose certname `text` is, or begins at its dots.
 * @throws UsageError when there is none, or several
 */
export function checkCertname(where: string, text: string, nodes: readonly KnownNode[]): CheckedNames {
  const names = certnames(where, nodes);
  const exact = nodes.find(({ certname }) => certname === text);
  if (exact !== undefined) return { fullName: undefined, remarks: inactivity(exact) };
  const wanted = text.toLowerCase();
  const short = nodes.filter(({ certname }) => certname === wanted || certname.startsWith(`${wanted}.`));
  const active = short.filter(({ inactive }) => inactive === undefined);
  const [found, ...others] = active.length > 0 ? active : short;
  if (found === undefined) throw unknown(where, "certname", text, names, listCommand("certname"));
  if (others.length === 0) return { fullName: found.certname, remarks: inactivity(found) };
  const some = [found, ...others].slice(0, FEW).map(({ certname }) => certname);
  const more = others.length + 1 > some.length ? ", …" : "";
  throw new UsageError(
    `${where}${JSON.stringify(text)} is short for ${others.length + 1} certnames: ${some.join(", ")}${more}`,
  );
}

/** As {@link checkCertname}; what is neither may be misspelt of either. */
async function checkCertnameOrFact(where: string, text: string, readRows: ReadRows): Promise<CheckedNames> {
  const nodes = await knownNodes(readRows);
  const isCertname = nodes.some(({ certname }) => `${certname}.`.startsWith(`${text.toLowerCase()}.`));
  if (isCertname || nodes.length === 0) return checkCertname(where, text, nodes);
  const names = [...certnames(where, nodes), ...(await knownNames("fact", readRows))];
  throw unknown(where, "certname or fact", text, names, `${listCommand("certname")} or ${listCommand("fact")}`);
}

/** @throws CensusError "not-found" when there are none */
function certnames(where: string, nodes: readonly KnownNode[]): string[] {
  if (nodes.length === 0) throw new CensusError("not-found", `${where}the source contains no nodes`);
  return nodes.map(({ certname }) => certname);
}

function inactivity({ certname, inactive }: KnownNode): string[] {
  return inactive === undefined ? [] : [`${certname} is ${inactive}`];
}

/** The hash of a report, which may be the beginning of one; else a certname. */
async function checkReport(where: string, text: string, readRows: ReadRows): Promise<CheckedNames> {
  const found = await findReport(where, text, readRows);
  if (found !== undefined) return found;
  return HASH.test(text) && text.length === 40
    ? unknownReport(where, text)
    : checkCertname(where, text, await knownNodes(readRows));
}

const HASH = /^[0-9a-f]{6,40}$/;

/** The report whose hash the text is, or begins; undefined if there is none. */
async function findReport(where: string, text: string, readRows: ReadRows): Promise<CheckedNames | undefined> {
  if (!HASH.test(text)) return undefined;
  const hash = `hash ~ ${pqlString(`^${text}`)}`;
  const rows = await readRows(`reports[hash] { ${hash} and (type = "agent" or type = "plan") }`);
  const [found, ...others] = rows.map((row) => cellText(row["hash"]));
  if (found === undefined) return undefined;
  if (found === text) return nothingFound;
  if (others.length === 0) return { fullName: found, remarks: [] };
  throw new UsageError(`${where}${text} is the beginning of ${rows.length} report hashes`);
}

function unknownReport(where: string, text: string): never {
  throw new UsageError(`${where}there is no report ${text}; census reports lists reports`);
}

async function checkPath(where: string, text: string, readRows: ReadRows): Promise<CheckedNames> {
  const path = readPath(text) ?? [text];
  const [fact = ""] = path;
  checkListed(where, "fact", fact, await knownNames("fact", readRows));
  const paths = await knownPaths(fact, readRows);
  if (paths.includes(pathText(path))) return nothingFound;
  throw unknown(where, "fact", text, paths, `census facts --name ${fact}`);
}

async function checkResource(
  where: string,
  { type, title }: Extract<UsedName, { kind: "resource" }>,
  readRows: ReadRows,
): Promise<CheckedNames> {
  const types = await Promise.all([
    readRows("resources[type, count()] { group by type }"),
    readRows("events[resource_type, count()] { group by resource_type }"),
  ]);
  const known = types.flat().map((row) => cellText(row["type"] ?? row["resource_type"]));
  if (!known.includes(type)) {
    throw unknown(where, "resource type", type, [...new Set(known)], "census resources");
  }
  if (title === undefined) return nothingFound;
  const ofType = `type = ${pqlString(type)}`;
  const titles = await Promise.all([
    readRows(`resources[title, count()] { ${ofType} group by title }`),
    readRows(`events[resource_title, count()] { resource_${ofType} group by resource_title }`),
  ]);
  const names = titles.flat().map((row) => `${type}[${cellText(row["title"] ?? row["resource_title"])}]`);
  const text = `${type}[${title}]`;
  if (names.includes(text)) return nothingFound;
  const list = `census resources ${type}`;
  throw unknown(where, "resource", text, [...new Set(names)], list);
}

/** @param command that lists all names */
function unknown(where: string, kind: string, text: string, names: readonly string[], command: string): UsageError {
  return new UsageError(`${where}unknown ${kind} ${JSON.stringify(text)}; ${hint(text, names, command)}`);
}

function hint(text: string, names: readonly string[], command: string): string {
  const near = nearestNames(text, names);
  if (near.length > 0) return `did you mean ${either(near)}?`;
  if (names.length > FEW) return `${command} lists all`;
  if (names.length === 0) return "there are none";
  return `there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`;
}

function either(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" or ");
}
