import { CensusError } from "../errors.ts";
import { fold } from "../issues/fold.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { cellText } from "../output/cells.ts";
import { pqlString } from "../query/pql/string-text.ts";
import { type Finding, merged } from "./finding.ts";
import { containsAll, containsAny, hasAll } from "./words.ts";

/** Texts that a store searches in its own way: of resources, of facts, and of the logs of latest reports. */
export type SearchedTexts = "titles" | "parameters" | "values" | "logs";

/** Reads what is searched. */
export interface RowReader {
  /** The rows of a query. */
  rows(query: string): Promise<JsonObject[]>;
  /** Of the rows of one of {@link textQueries}, at least those whose text contains all words. */
  containing(texts: SearchedTexts, words: readonly string[]): Promise<JsonObject[]>;
}

/** Queries for what a store searches faster in its own way, for other sources. */
export const textQueries: Readonly<Record<SearchedTexts, (words: readonly string[]) => string>> = {
  titles: (words) => {
    const where = `!(type = "Class") and ${containsAll(words, "type", "title")}`;
    return `resources[type, title, count()] { ${where} group by type, title }`;
  },
  // Resources that are equal but for their tags, file and line are one row.
  parameters: () => "resources[type, title, parameters, count()] { group by type, title, parameters }",
  values: (words) => `fact_contents[path, value, count()] { ${inValues(words)} group by path, value }`,
  logs: () => "reports[logs] { latest_report? = true }",
};

/** Finds what contains all words among the things of a kind. */
type Search = (words: readonly string[], read: RowReader) => Promise<readonly Finding[]>;

/** Where words are searched, in the order in which findings are listed. */
export const searches = {
  node: async (words, read) =>
    (await read.rows(`nodes[certname] { ${containsAll(words, "certname")} }`)).map(({ certname }) =>
      named(cellText(certname), null),
    ),
  class: async (words, read) =>
    (
      await read.rows(`resources[title, count()] { type = "Class" and ${containsAll(words, "title")} group by title }`)
    ).map((row) => named(cellText(row["title"]), countOf(row))),
  fact: facts,
  resource: async (words, read) => {
    const rows = await read.containing("titles", words);
    return rows.map((row) => ({ ...named(resourceName(row), countOf(row)), subject: resourceOf(row) }));
  },
  parameter: parameters,
  package: async (words, read) => {
    const where = containsAll(words, "package_name");
    const rows = await read.rows(`package_inventory[package_name, count()] { ${where} group by package_name }`);
    return rows.map((row) => named(cellText(row["package_name"]), countOf(row)));
  },
  report: reports,
  message: async (words, read) => {
    const rows = await read.rows(`events[message, count()] { ${containsAll(words, "message")} group by message }`);
    return similar(rows.map((row) => ({ name: null, match: cellText(row["message"]), count: countOf(row) })));
  },
  log: async (words, read) => {
    const reports = await read.containing("logs", words);
    const lines = reports
      .flatMap(({ logs }) => logLines(logs))
      .map(({ message }) => cellText(message))
      .filter((message) => hasAll(message, words));
    return similar(lines.map((match) => ({ name: null, match, count: 1 })));
  },
} as const satisfies Record<string, Search>;

export type SearchKind = keyof typeof searches;

export const searchKinds = Object.keys(searches) as readonly SearchKind[];

function named(name: string, count: number | null): Finding {
  return { name, match: null, count };
}

function countOf(row: JsonObject): number {
  return Number(cellText(row["count"]));
}

function resourceOf({ type, title }: JsonObject): Finding["subject"] {
  return { type: cellText(type), title: cellText(title) };
}

function resourceName({ type, title }: JsonObject): string {
  return `${cellText(type)}[${cellText(title)}]`;
}

/** Values, by path; and paths, whatever their values. */
async function facts(words: readonly string[], read: RowReader): Promise<Finding[]> {
  const values = await factValues(words, read);
  const paths = await read.rows(`fact_paths[path] { ${containsAll(words, "path")} }`);
  return [
    ...values,
    ...paths
      .filter(({ path }) => hasAll(pathText(path), words))
      .map(({ path }) => ({ ...named(pathText(path), null), subject: pathOf(path) })),
  ];
}

async function factValues(words: readonly string[], read: RowReader): Promise<readonly Finding[]> {
  try {
    const rows = await read.containing("values", words);
    return rows.filter((row) => isValueWith(row, words)).map((row) => factValue(row, countOf(row)));
  } catch (error) {
    // PuppetDB 7 answers a grouping by path with an internal error, so the rows are counted here.
    if (!(error instanceof CensusError && error.code === "bad-file")) throw error;
    const rows = await read.rows(`fact_contents[certname, path, value] { ${inValues(words)} }`);
    return merged(
      rows.map((row) => factValue(row, 1)),
      ({ name, match }) => JSON.stringify([name, match]),
    );
  }
}

/** Facts with each word in their name or value, and one in the value. */
function inValues(words: readonly string[]): string {
  const inAny = containsAny(words, "value");
  return words.length === 1 ? inAny : `${containsAll(words, "name", "value")} and ${inAny}`;
}

/** Whether a row is one of them. */
function isValueWith({ path, value }: JsonObject, words: readonly string[]): boolean {
  if (value === null) return false;
  const [name, text] = [Array.isArray(path) ? cellText(path[0]) : "", cellText(value)];
  return (
    words.every((word) => hasAll(name, [word]) || hasAll(text, [word])) && words.some((word) => hasAll(text, [word]))
  );
}

function factValue({ path, value }: JsonObject, count: number): Finding {
  return { name: pathText(path), match: cellText(value), count, subject: pathOf(path) };
}

function pathOf(path: Json | undefined): Finding["subject"] {
  return Array.isArray(path) ? { path } : undefined;
}

function pathText(path: Json | undefined): string {
  return Array.isArray(path) ? path.map(cellText).join(".") : cellText(path);
}

/** No query can search in all parameters, so the rows are searched here. */
async function parameters(words: readonly string[], read: RowReader): Promise<Finding[]> {
  const rows = await read.containing("parameters", words);
  const found = rows.flatMap((row) => {
    const set = isObject(row["parameters"]) ? row["parameters"] : {};
    return Object.entries(set)
      .map(([name, value]) => ({
        name: `${resourceName(row)} ${name}`,
        match: cellText(value),
        count: countOf(row),
        subject: resourceOf(row),
      }))
      .filter(({ name, match }) => hasAll(`${name} ${match}`, words) && words.some((word) => hasAll(match, [word])));
  });
  return merged(found, ({ name, match }) => JSON.stringify([name, match]));
}

/** The beginning of a hash: fewer digits are in many. */
const HASH = /^[0-9a-f]{6,40}$/i;

/** Reports whose hash begins with the word, and those with the word as configuration version; none with several words. */
async function reports([word = "", ...others]: readonly string[], read: RowReader): Promise<Finding[]> {
  if (others.length > 0) return [];
  const ofVersion = `configuration_version = ${pqlString(word)}`;
  const ofHash = `hash ~ ${pqlString(`^${word.toLowerCase()}`)}`;
  const where = HASH.test(word) ? `${ofHash} or ${ofVersion}` : ofVersion;
  const rows = await read.rows(`reports[hash, configuration_version] { ${where} }`);
  return rows.map((row) => {
    const hash = cellText(row["hash"]);
    return { name: hash, match: hash.startsWith(word.toLowerCase()) ? null : word, count: null };
  });
}

/** Texts that differ in numbers, times and the like are one; the first of them is shown. */
function similar(findings: readonly Finding[]): Finding[] {
  return merged(findings, ({ match }) => fold(match ?? "", ""));
}

function logLines(logs: Json | undefined): JsonObject[] {
  const data = isObject(logs) ? logs["data"] : logs;
  return Array.isArray(data) ? data.filter(isObject) : [];
}
