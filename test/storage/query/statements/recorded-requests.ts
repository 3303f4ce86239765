import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { CORPUS_NAMES, readCorpus, recordingsOf } from "#test/conformance/corpus.ts";
import { oracleFolder } from "#test/conformance/options.ts";
import type { CorpusName, RecordedRequest } from "#test/conformance/recording.ts";
import type { Plan } from "#storage/query/query.ts";
import { plansOfRequest, type StatementRequest } from "./request-plans.ts";
import { context, type NamedStatement, shapeOf } from "./statement-list.ts";

const oracle = oracleFolder(process.env);

/** Whether the recordings are there, which are kept beside the repository. */
export const hasRecordings = existsSync(oracle);

/** The corpora whose statements are listed. PuppetDB's own tests have twice as many, of hardly any other form. */
const LISTED: readonly CorpusName[] = ["puppetdb", "openvoxdb"];

/** The statements of the recorded requests, and a digest of all of them. */
export interface RecordedStatements {
  /** One of each form, by its shortest request. */
  readonly listed: readonly NamedStatement[];
  readonly digest: string;
}

export function recordedStatements(): RecordedStatements {
  const corpora = CORPUS_NAMES.map((name) => ({
    name,
    requests: recordingsOf(readCorpus(oracle, name)).map(({ request }) => requestOf(request)),
  }));
  const named = corpora.map(({ name, requests }) => ({ name, statements: requests.flatMap(statementsOf) }));
  const all = new Set(named.flatMap(({ statements }) => statements.map(({ statement }) => JSON.stringify(statement))));
  const listed = named.flatMap(({ name, statements }) => (LISTED.includes(name) ? statements : []));
  const byForm = Map.groupBy(listed.toSorted(shortestFirst), ({ statement }) => shapeOf(statement));
  return {
    listed: [...byForm.values()].flatMap(([first]) => first ?? []).toSorted(byName),
    digest: `${all.size} statements, sha256 ${createHash("sha256")
      .update([...all].sort().join("\n"))
      .digest("hex")}`,
  };
}

/** The statements of requests by their names in a list. */
export function statementsNamed(names: readonly string[]): NamedStatement[] {
  const all = new Set(names.map((name) => name.replace(/ \(\d+\)$/, "")));
  const made = [...all].flatMap((name) => statementsOf(readName(name)));
  return names.flatMap((name) => made.find((statement) => statement.name === name) ?? []);
}

/** The plans of requests by their names in a list. */
export function plansNamed(names: readonly string[]): Plan[] {
  const all = new Set(names.map((name) => name.replace(/ \(\d+\)$/, "")));
  return [...all].flatMap((name) => plansOfRequest(readName(name), context));
}

/** A request of aggregated counts has several. */
function statementsOf(request: StatementRequest): NamedStatement[] {
  const plans = plansOfRequest(request, context);
  return plans.map(({ rows: { sql } }, index) => ({
    name: `${nameOf(request)}${index === 0 ? "" : ` (${index + 1})`}`,
    statement: { sql },
  }));
}

/** As it can be read, and still be sent. */
function requestOf({ method, path, body = "" }: RecordedRequest): StatementRequest {
  const [place = "", ...search] = path.split("?");
  const parameters = search.join("?").replaceAll(/(?:%[\da-f]{2})+/gi, readable);
  const target = search.length === 0 ? place : `${place}?${parameters}`;
  return method === "POST" ? { target, body: body.replaceAll(/\s*\n\s*/g, " ") } : { target };
}

function readable(escaped: string): string {
  try {
    return decodeURIComponent(escaped).replaceAll(/[%&#+\p{Cc}\p{Z}\p{Cf}]/gu, (character) =>
      character === " " ? " " : encodeURIComponent(character),
    );
  } catch {
    return escaped;
  }
}

function nameOf({ target, body }: StatementRequest): string {
  return body === undefined ? `GET ${target}` : `POST ${target} ${body}`;
}

function readName(name: string): StatementRequest {
  const [, method, rest = ""] = /^(GET|POST) (.*)$/s.exec(name) ?? [];
  if (method === "GET") return { target: rest };
  const end = rest.indexOf(" ");
  return { target: rest.slice(0, end), body: rest.slice(end + 1) };
}

function shortestFirst(a: NamedStatement, b: NamedStatement): number {
  return a.name.length - b.name.length || byName(a, b);
}

function byName(a: NamedStatement, b: NamedStatement): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
