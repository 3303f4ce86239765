import { join } from "node:path";
import { z } from "zod";
import { isObject, parseJson, stringifyJson, type Json } from "#storage/json.ts";
import type { Retention } from "#storage/lifecycle/retention.ts";
import { days } from "#storage/time.ts";
import type { World } from "./world.ts";
import { readDocuments } from "./ndjson.ts";
import { observedRules, pagesInside } from "./observed-rules.ts";
import { categoryOf } from "./openvoxdb.ts";
import type { PopulationCommand } from "./population.ts";
import type { CompareRules, ExpectedAnswer, Recording } from "./recording.ts";

/** A line of worlds.ndjson. Other keys are refused. */
const worldLine = z.strictObject({
  world: z.string(),
  commands: z.array(
    z.strictObject({ command: z.string(), version: z.number(), certname: z.string(), payload: z.unknown() }),
  ),
});

/** A line of questions.ndjson or failing.ndjson (oracle/corpus-8.8/README.md). Other keys are refused. */
const questionLine = z.strictObject({
  id: z.string(),
  test: z.string(),
  world: z.string(),
  method: z.string(),
  uri: z.string(),
  query: z.string(),
  body: z.string().nullable(),
  status: z.number(),
  records: z.string().nullish(),
  asserts: z.number().optional(),
  peer_same: z.boolean(),
  compare: z.enum(["status"]).optional(),
  json: z.unknown().optional(),
  text: z.string().optional(),
});
type QuestionLine = z.infer<typeof questionLine>;

/** The moment of the replay: the server's clock is fixed at it, and what the recordings call `NOW` is just before it. */
const NOW = "2026-11-22T12:00:00.000Z";

/** Everything from here on is `NOW`: the recordings know no other time after it. */
const REPLAYED_SINCE = Date.parse(NOW) - 3_600_000;

/** The populations are of 2011 and later, and all of it is queried. */
const RETENTION: Partial<Retention> = { nodeTtl: 0n, reportTtl: days(36_500), resourceEventsTtl: null };

/**
 * Reads the requests of PuppetDB 8.8's own tests, and those that were answered wrongly once, each with its population.
 * @throws CensusError (bad-file) when a file is missing or has other content
 */
export function readTestSuite(directory: string): World[] {
  const populations = new Map(
    readDocuments(join(directory, "worlds.ndjson"), worldLine).map(({ world, commands }) => [world, commands]),
  );
  const lines = ["questions.ndjson", "failing.ndjson"].flatMap((file) =>
    readDocuments(join(directory, file), questionLine),
  );
  return [...Map.groupBy(lines, ({ world }) => world)].map(([world, questions]) => ({
    now: NOW,
    retention: RETENTION,
    population: populationOf(populations.get(world) ?? []),
    recordings: questions.map(recordingOf),
  }));
}

function populationOf(commands: z.infer<typeof worldLine>["commands"]): PopulationCommand[] {
  // Each NOW is later than the one before, and none is later than the clock.
  let next = Date.parse(NOW) - 60_000;
  const replayed = (value: Json): Json => {
    if (value === "NOW") return new Date(next++).toISOString();
    if (Array.isArray(value)) return value.map(replayed);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replayed(inner)]));
  };
  return commands.map(({ command, version, certname, payload }) => ({
    command: command.replaceAll(" ", "_"),
    version: String(version),
    certname,
    payload: stringifyJson(replayed(payload as Json)),
  }));
}

function recordingOf(line: QuestionLine): Recording {
  const { id, method, uri, query, body } = line;
  const observed = {
    method,
    path: uri,
    params: Object.fromEntries(new URLSearchParams(query)),
    ...(body === null ? {} : { body: parseJson(body) }),
    status: line.status,
    ...("json" in line ? { json: line.json } : {}),
    ...(line.text === undefined ? {} : { text: line.text }),
  };
  const observedMode = pagesInside(observed) ? { mode: "count" as const } : {};
  const rules: CompareRules = { ...observedRules(observed), ...observedMode, replayedSince: REPLAYED_SINCE };
  const path = query === "" ? uri : `${uri}?${query}`;
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  return {
    id,
    category: categoryOf(observed),
    request: { method, path, headers, ...(body === null ? {} : { body }) },
    rules: line.compare === undefined ? rules : { ...rules, mode: line.compare },
    expected: [expectedAnswer(line)],
  };
}

function expectedAnswer(line: QuestionLine): ExpectedAnswer {
  const type = line.text === undefined ? "application/json" : "text/plain";
  const total = typeof line.records === "string" ? { "x-records": line.records } : {};
  return {
    generation: "PuppetDB 8.8",
    status: line.status,
    headers: { "content-type": `${type};charset=utf-8`, ...total },
    text: line.text ?? stringifyJson((line.json ?? null) as Json),
  };
}
