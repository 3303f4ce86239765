import { isScalar, type Node } from "yaml";
import { stringifyJson } from "../json.ts";
import { parseQueryJson } from "../query/ast/parse-json.ts";
import { PqlSyntaxError } from "../query/pql/errors.ts";
import { parsePql } from "../query/pql/parse.ts";
import { type StateKey, stateKeys } from "../states/node-state.ts";
import { readExpectation, type ReadExpectation } from "./expectation.ts";
import { didYouMean, type Entry, FileReader, isList, plainValue } from "./file-reader.ts";
import { fillText, fillValue, type Parameters, readParameters } from "./parameters.ts";
import { readLinks, readViews } from "./views-and-links.ts";
import {
  type PanelKind,
  panelKinds,
  type QueryFile,
  type QueryLanguage,
  type SavedQuery,
  severities,
} from "./types.ts";

/** Of a file; views and links are for the explorer. */
const parts = ["title", "parameters", "queries", "views", "links"] as const;

const keys = ["name", "query", "sql", "states", "expect", "advice", "severity", "panel"] as const;

/**
 * Reads a file of saved queries.
 * @param path its name in messages
 * @param given values of parameters; those that the file does not have are ignored
 * @throws CensusError "bad-input" naming the file, line and column of what is wrong
 */
export function readQueryFile(path: string, text: string, given: ReadonlyMap<string, string> = new Map()): QueryFile {
  const reader = new FileReader(path, text);
  const entries = reader.entries(reader.root, "the file", parts);
  const [title, declared, queries, views, links] = parts.map((name) => entries.get(name));
  if (queries === undefined && views === undefined && links === undefined) {
    throw reader.error(reader.root, "the file must have queries, a list");
  }
  const parameters: Parameters = declared === undefined ? new Map() : readParameters(reader, declared.value, given);
  const nodes = queries === undefined ? [] : reader.elements(queries.value, "queries");
  const read = nodes.map((node) => readQuery(reader, node, parameters));
  checkNames(reader, nodes, read);
  return {
    path,
    title: title === undefined ? undefined : reader.text(title.value, "title"),
    parameters,
    queries: read,
    views: readViews(reader, views),
    links: readLinks(reader, links),
  };
}

function checkNames(reader: FileReader, nodes: readonly Node[], queries: readonly SavedQuery[]): void {
  const names = queries.map(({ name }) => name);
  const second = names.findIndex((name, index) => names.indexOf(name) < index);
  if (second < 0) return;
  const first = queries[names.indexOf(names[second] ?? "")];
  throw reader.error(
    nodes[second] ?? null,
    `two queries are named ${JSON.stringify(names[second])}; the other one is in line ${first?.place.line}`,
  );
}

function readQuery(reader: FileReader, node: Node, parameters: Parameters): SavedQuery {
  const entries = reader.entries(node, "a query", keys);
  const name = entries.get("name");
  if (name === undefined) throw reader.error(node, "a query needs a name");
  const [given, other] = ["query", "sql", "states"].flatMap((key) => entries.get(key) ?? []);
  if (given === undefined) throw reader.error(node, "a query needs query (PQL or AST), sql or states");
  if (other !== undefined) throw reader.error(other.key, "a query has one of query, sql and states");
  const { language, text, unset } = readText(reader, given, parameters);
  const expected = entries.get("expect");
  const read: ReadExpectation | undefined =
    expected === undefined ? undefined : readExpectation(reader, expected.value, parameters);
  const advice = entries.get("advice");
  return {
    name: reader.text(name.value, "name").trim(),
    place: reader.placeOf(node),
    language,
    text,
    textPlace: reader.placeOf(given.value),
    unset: [...new Set([...unset, ...(read?.unset ?? [])])],
    advice: advice === undefined ? undefined : reader.text(advice.value, "advice").trim(),
    severity: readOneOf(reader, entries.get("severity"), severities) ?? "error",
    panel: readPanel(reader, entries.get("panel"), language),
    expectation: read?.expectation,
  };
}

/** One of the words that a key may have. */
function readOneOf<Word extends string>(
  reader: FileReader,
  entry: Entry | undefined,
  words: readonly Word[],
): Word | undefined {
  if (entry === undefined) return undefined;
  const { key } = entry;
  const text = reader.text(entry.value, key.value);
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  throw reader.error(entry.value, `unknown ${key.value} ${JSON.stringify(text)}; ${didYouMean(text, words)}`);
}

function readPanel(
  reader: FileReader,
  entry: Entry | undefined,
  language: SavedQuery["language"],
): PanelKind | undefined {
  if (entry !== undefined && language !== "PQL") throw reader.error(entry.key, "a panel needs a query in PQL");
  return readOneOf(reader, entry, panelKinds);
}

type ReadText = Pick<SavedQuery, "language" | "text" | "unset">;

function readText(reader: FileReader, entry: Entry, parameters: Parameters): ReadText {
  const { key, value } = entry;
  if (key.value === "states") return { language: "states", text: readStates(reader, entry).join(", "), unset: [] };
  const refuse = (message: string): never => {
    throw reader.error(value, message);
  };
  if (isList(value)) {
    const { value: filled, unset } = fillValue(plainValue(value), parameters, refuse);
    const text = stringifyJson(filled);
    if (unset.length === 0) checkSyntax(reader, value, { language: "AST", text, isFilled: true });
    return { language: "AST", text, unset };
  }
  const given = reader.text(value, key.value).trimEnd();
  const language: QueryLanguage = key.value === "sql" ? "SQL" : given.trimStart().startsWith("[") ? "AST" : "PQL";
  const { text, unset } = fillText(given, language, parameters, refuse);
  if (unset.length === 0) checkSyntax(reader, value, { language, text, isFilled: text !== given });
  return { language, text, unset };
}

function readStates(reader: FileReader, { value }: Entry): StateKey[] {
  const nodes = reader.elements(value, "states");
  if (nodes.length === 0) throw reader.error(value, `states must be a list of ${stateKeys.join(", ")}`);
  return nodes.map((node) => {
    const text = reader.text(node, "a state");
    const state = stateKeys.find((key) => key === text);
    if (state !== undefined) return state;
    throw reader.error(node, `unknown state ${JSON.stringify(text)}; ${didYouMean(text, stateKeys)}`);
  });
}

/** Checks what can be checked without a source; SQL is checked by the engine. */
function checkSyntax(
  reader: FileReader,
  node: Node | null,
  { language, text, isFilled }: { language: QueryLanguage; text: string; isFilled: boolean },
): void {
  try {
    if (language === "PQL") parsePql(text);
    if (language === "AST") parseQueryJson(text);
  } catch (error) {
    const hasPlace = error instanceof PqlSyntaxError && isScalar(node) && !isFilled;
    const place = hasPlace ? reader.placeInText(node, error) : reader.placeOf(node);
    throw reader.errorAt(place, `the query is invalid: ${lastParagraph(error)}`);
  }
}

/** The advice of an error, which is its last paragraph; its place is said by the file's. */
function lastParagraph(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (
    message
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? message
  );
}
