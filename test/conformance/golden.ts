import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { CensusError } from "#storage/errors.ts";
import { stringifyJson, type Json } from "#storage/json.ts";
import { readDocuments } from "./ndjson.ts";
import type { CompareRules, ExpectedAnswer, RecordedRequest, Recording } from "./recording.ts";

/** A line of oracle/golden: a finished request and its answer (reference/query.md §12). Other keys are refused. */
const goldenLine = z.strictObject({
  id: z.string(),
  request: z.strictObject({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
  }),
  compare: z.enum(["set", "ordered", "keys", "count", "text", "type", "status"]).default("set"),
  mask: z.array(z.string()).default([]),
  text_mask: z.array(z.tuple([z.string(), z.string()])).default([]),
  inner_ordered: z.boolean().default(false),
  headers_compared: z.array(z.string()).default([]),
  note: z.string().optional(),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown().optional(),
  text: z.string().optional(),
});
type GoldenLine = z.infer<typeof goldenLine>;

/** Where each generation's answers lie, the oldest first: the first directory has every recording, later ones what changed. */
const GENERATIONS = [
  { directory: "golden", generation: "PuppetDB 7.12" },
  { directory: "golden-next", generation: "OpenVoxDB 9" },
];

/**
 * Reads oracle/golden and oracle/golden-next, in the order of their files: an answer equal to either is right.
 * @throws CensusError (bad-file) when they are not there or hold something else
 */
export function readGoldens(oracle: string): Recording[] {
  const answers = GENERATIONS.flatMap(({ directory, generation }) =>
    readDirectory(join(oracle, directory)).map(({ category, line }) => ({ category, line, generation })),
  );
  return [...Map.groupBy(answers, ({ line }) => line.id).values()].map((group) => {
    const [first, ...later] = group.map(({ line, generation }) => expectedAnswer(line, generation)).reverse();
    const [{ category, line }] = group as [(typeof group)[number]];
    return {
      id: line.id,
      category,
      request: requestOf(line),
      rules: rulesOf(line),
      expected: [first as ExpectedAnswer, ...later],
    };
  });
}

function readDirectory(directory: string): { category: string; line: GoldenLine }[] {
  if (!existsSync(directory)) throw new CensusError("bad-file", `no such directory of recordings: ${directory}`);
  const files = readdirSync(directory).filter((name) => name.endsWith(".ndjson"));
  return files.sort().flatMap((name) => {
    const lines = readDocuments(join(directory, name), goldenLine);
    return lines.map((line) => ({ category: basename(name, ".ndjson"), line }));
  });
}

function requestOf({ request: { body, ...request } }: GoldenLine): RecordedRequest {
  return body === undefined ? request : { ...request, body };
}

function rulesOf(line: GoldenLine): CompareRules {
  return {
    mode: line.compare,
    mask: line.mask,
    textMask: line.text_mask,
    innerOrdered: line.inner_ordered,
    headers: line.headers_compared,
    unorderedNames: false,
  };
}

function expectedAnswer(line: GoldenLine, generation: string): ExpectedAnswer {
  const text = line.body === undefined ? (line.text ?? "") : stringifyJson(line.body as Json);
  return { generation, status: line.status, headers: line.headers, text };
}
