import { rowFormats, textFormatKeys } from "#storage/output/format-names.ts";
import { dataKey } from "#storage/data-key.ts";
import { CensusError } from "#storage/errors.ts";
import { searchKinds } from "#storage/search/kinds.ts";
import { wordsOf } from "#storage/search/words.ts";
import { type Rows, rowsOfTexts } from "#storage/engine/rows.ts";
import { stringifyJson } from "#storage/json.ts";
import { formatTimestamp } from "#storage/time.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import { json } from "../../openapi/replies.ts";
import { attachment } from "../attachment.ts";
import { apiHeaders } from "../headers.ts";
import { textPieces } from "../row-formats.ts";
import { searchKind } from "../search.ts";
import type { ExplorerServices } from "../services.ts";
import { answerInAnyFormat, answerReadably, cachedAnswer, withRevision } from "./answer.ts";
import { asOfParameter, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Given, readGiven, required, valueOf, wholeNumber } from "./given.ts";
import { shapes } from "./shapes.ts";
import { LARGEST_BODY } from "./selection.ts";

const MOST = 1000;
const USUAL = 10;
/** Each word is a pattern for every value that is searched. */
const MOST_WORDS = 20;

const text = { type: "string" } as const;

const parameters: readonly DescribedParameter[] = [
  {
    name: "q",
    description: `Words, of which all must occur, in any case; several in double quotes are one. At most ${MOST_WORDS}`,
    schema: text,
    required: true,
    example: "chrony",
  },
  {
    name: "kind",
    description: "What is searched: `log` is the logs of the latest runs",
    schema: { enum: searchKinds },
    required: true,
    example: "fact",
  },
  {
    name: "limit",
    description: "Findings, at most",
    schema: { type: "integer", minimum: 1, maximum: MOST, default: USUAL },
  },
  asOfParameter,
];

const names = parameters.map(({ name }) => name);

const fileColumns = ["kind", "name", "match", "count"] as const;

const fileParameters: readonly DescribedParameter[] = [
  ...parameters.map((one) =>
    one.name === "kind"
      ? { ...one, required: false, isRepeated: true, description: `${one.description}; default: all` }
      : one,
  ),
  {
    name: "format",
    description: "`csv-safe` is CSV in which a spreadsheet finds no formulas",
    schema: { enum: textFormatKeys },
    required: true,
    example: "json",
  },
];

/** `search`: what contains some words, of one kind. */
export const search: Endpoint = {
  path: "search",
  describe: () =>
    operations(
      {
        summary: "Search the things of a kind for words",
        description:
          "As `census search` does. Messages and lines that differ only in numbers, times and the like are one.",
        ok: json("The findings", withRevision(shapes.search)),
      },
      parameters,
    ),
  handle: (services, request) => answerReadably(services, request, (signal) => answerSearch(services, request, signal)),
};

async function answerSearch(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const given = await readGiven(request, names, LARGEST_BODY);
  const { queries, key } = await requestedState(given, services.store);
  const spec = {
    words: readWords(given),
    kind: valueOf("kind", required(given, "kind"), searchKinds),
    limit: wholeNumber(given, "limit", { least: 1, most: MOST, otherwise: USUAL }),
  };
  const answered = { of: "search" as const, key: `${key} ${dataKey(spec)}` };
  return cachedAnswer(services, request, answered, signal, (working) => searchKind(queries, spec, working));
}

/** `search/rows`: the same as a file, of several kinds. */
export const searchRows: Endpoint = {
  path: "search/rows",
  describe: () =>
    operations(
      {
        summary: "Download what has some words",
        description: "The rows of `census search`: `kind`, `name`, `match` and `count`.",
        ok: {
          description: "The rows",
          headers: { "Content-Disposition": { description: "The name of the file", schema: text } },
          content: Object.fromEntries(
            textFormatKeys.map((format) => [rowFormats[format].type.replace(/;.*/, ""), { schema: {} }]),
          ),
        },
      },
      fileParameters,
    ),
  handle: (services, request) =>
    answerInAnyFormat(services, request, (signal) => answerSearchRows(services, request, signal)),
};

async function answerSearchRows(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const given = await readGiven(
    request,
    fileParameters.map(({ name }) => name),
    LARGEST_BODY,
  );
  const { queries, clock } = await requestedState(given, services.store);
  const format = valueOf("format", required(given, "format"), textFormatKeys);
  const words = readWords(given);
  const limit = wholeNumber(given, "limit", { least: 1, most: MOST, otherwise: USUAL });
  const kinds = (given.get("kind") ?? searchKinds).map((name) => valueOf("kind", name, searchKinds));
  const texts: string[] = [];
  for (const kind of kinds) {
    const { findings } = await services.queries.admission.run(signal, () =>
      searchKind(queries, { words, kind, limit }, signal),
    );
    for (const { name, match, count: nodes } of findings)
      texts.push(stringifyJson({ kind, name, match, count: nodes }));
  }
  const now = formatTimestamp(clock.now());
  const page = { title: `Search ${words.join(" ")}`, source: services.explorer.source.name || undefined, time: now };
  const pieces: Buffer[] = [];
  for await (const piece of textPieces(format, fileColumns, page)(oneBatch(texts))) pieces.push(piece);
  const { type, extension } = rowFormats[format];
  return {
    status: 200,
    headers: {
      ...apiHeaders,
      "content-type": type,
      "content-disposition": attachment("search", clock.now(), extension),
    },
    body: Buffer.concat(pieces),
  };
}

async function* oneBatch(texts: string[]): AsyncGenerator<Rows> {
  if (texts.length > 0) yield await Promise.resolve(rowsOfTexts(texts));
}

/** @throws CensusError "bad-input" when there is none, or too many */
function readWords(given: Given): readonly string[] {
  const words = wordsOf(required(given, "q"));
  if (words.length > 0 && words.length <= MOST_WORDS) return words;
  throw new CensusError("bad-input", `parameter 'q' must have from 1 to ${MOST_WORDS} words, not ${words.length}`);
}
