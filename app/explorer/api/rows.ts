import {
  type FileFormatKey,
  isFileFormat,
  rowFormatKeys,
  rowFormats,
  type TextFormatKey,
} from "#storage/output/format-names.ts";
import { CensusError } from "#storage/errors.ts";
import type { AboutPage } from "#storage/output/html/page.ts";
import type { TableSpec } from "#storage/query/table.ts";
import type { Plan } from "#storage/query/query.ts";
import { formatTimestamp } from "#storage/time.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import type { OpenedRows } from "../../query/admission.ts";
import { QueryWatch } from "../../query/watch.ts";
import { attachment } from "../attachment.ts";
import { apiHeaders } from "../headers.ts";
import { fileStream } from "../file-stream.ts";
import { rowTexts, textPieces } from "../row-formats.ts";
import type { ExplorerServices } from "../services.ts";
import { answerInAnyFormat, answerReadably } from "./answer.ts";
import { asOfParameter, type RequestedState, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { flag, type Given, readGiven, required, single, valueOf, wholeNumber } from "./given.ts";
import { LARGEST_BODY, readQuery, silence } from "./selection.ts";

const text = { type: "string" } as const;

const parameters: readonly DescribedParameter[] = [
  {
    name: "query",
    description:
      "Any query that the root of the query API takes, in PQL or as an AST. Reports also have the field `duration` (seconds)",
    schema: text,
    required: true,
    example: "nodes[certname, report_timestamp]{ order by certname }",
  },
  {
    name: "format",
    description: "`csv-safe` is CSV in which a spreadsheet finds no formulas",
    schema: { enum: rowFormatKeys },
    required: true,
    example: "json",
  },
  {
    name: "column",
    description:
      "A column, in place of those of the query, which is then an entity and its conditions: a field as `facets` names it, of " +
      "nodes and reports also `events.failure`, `events.success`, `events.skipped` and `events.noop`, how many the latest run or the run had",
    schema: text,
    isRepeated: true,
  },
  {
    name: "sort",
    description:
      "With columns: a column that the rows are sorted by, after `-` descending; rows without a value are last",
    schema: text,
    isRepeated: true,
  },
  { name: "limit", description: "With columns: rows, at most", schema: { type: "integer", minimum: 1 } },
  { name: "offset", description: "With columns: rows that are left out", schema: { type: "integer", minimum: 0 } },
  {
    name: "count",
    description: "With columns: one row for all rows with the same values, with their number as `count`, in no order",
    schema: { type: "boolean", default: false },
  },
  { name: "name", description: "What the file is called, before the date", schema: { ...text, default: "rows" } },
  {
    name: "include_total",
    description: "Return the number of rows before limit and offset in the header X-Records",
    schema: { type: "boolean", default: false },
  },
  asOfParameter,
];

const names = parameters.map(({ name }) => name);

/** The rows of any query as a file. */
export const rows: Endpoint = {
  path: "rows",
  hasHead: true,
  describe: () =>
    operations(
      {
        summary: "Download the rows of a query",
        description: "Columns are in the order of the query, without a projection in that of the entity's fields.",
        ok: {
          description: "The rows",
          headers: { "Content-Disposition": { description: "The name of the file", schema: text } },
          content: Object.fromEntries(
            Object.values(rowFormats).map(({ type }) => [type.replace(/;.*/, ""), { schema: {} }]),
          ),
        },
      },
      parameters,
    ),
  handle: (services, request) => {
    const answer = request.message.method === "POST" ? answerReadably : answerInAnyFormat;
    return answer(services, request, (signal) => answerRows(services, request, signal));
  },
};

async function answerRows(
  services: ExplorerServices,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { queries } = services;
  const given = await readGiven(request, names, LARGEST_BODY);
  const state = await requestedState(given, services.store);
  const query = required(given, "query");
  const format = valueOf("format", required(given, "format"), rowFormatKeys);
  const selected = readQuery(query, queries.settings);
  const columns = given.get("column");
  const alone = ["sort", "limit", "offset", "count"].find((name) => given.has(name));
  if (columns === undefined && alone !== undefined) {
    throw new CensusError(
      "bad-input",
      `parameter '${alone}' needs 'column'; without it the query has its order and limit`,
    );
  }
  const plan =
    columns === undefined
      ? state.queries.plan({ of: "root", ...selected })
      : state.queries.planTable({
          ...selected,
          ...tableOf(given, columns),
          silence: silence(services, state.clock),
        });
  const { type, extension } = rowFormats[format];
  const headers = {
    ...apiHeaders,
    "content-type": type,
    "content-disposition": attachment(single(given, "name"), state.clock.now(), extension),
  };
  if (request.message.method === "HEAD") return { status: 200, headers, body: undefined };
  const watch = new QueryWatch(
    request.response,
    queries.settings,
    { text: () => query, path: request.path, origin: undefined },
    queries.onQuery,
  );
  const noted = watch.note(plan);
  if (isFileFormat(format)) return downloadFile(services, request, { state, plan: noted, format, headers }, signal);
  const page = {
    title: single(given, "name") ?? "rows",
    source: services.explorer.source.name || undefined,
    time: formatTimestamp(state.clock.now()),
    query,
  };
  const download = { state, plan: noted, format, page, withTotal: flag(given, "include_total"), headers };
  return downloadText(services, request, download, signal);
}

function tableOf(
  given: Given,
  columns: readonly string[],
): Pick<TableSpec, "columns" | "sort" | "limit" | "offset" | "isCounted"> {
  const number = (name: string, least: number): bigint | undefined =>
    given.has(name)
      ? BigInt(wholeNumber(given, name, { least, most: Number.MAX_SAFE_INTEGER, otherwise: least }))
      : undefined;
  const [limit, offset] = [number("limit", 1), number("offset", 0)];
  const sort = (given.get("sort") ?? []).map((written) => ({
    column: written.replace(/^-/, ""),
    descending: written.startsWith("-"),
  }));
  return {
    columns,
    sort,
    isCounted: flag(given, "count"),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
  };
}

/** The rows of a plan. */
interface Download {
  readonly state: RequestedState;
  readonly plan: Plan;
  readonly headers: Readonly<Record<string, string>>;
}

interface FileDownload extends Download {
  readonly format: FileFormatKey;
}

interface TextDownload extends Download {
  readonly format: TextFormatKey;
  readonly page: AboutPage;
  /** Whether rows are counted as if there were no limit. */
  readonly withTotal: boolean;
}

async function downloadText(
  { queries }: ExplorerServices,
  request: HttpRequest,
  { state, plan, format, page, withTotal, headers }: TextDownload,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { admission, settings } = queries;
  const { gzip, patternMs } = settings;
  const open = async (): Promise<OpenedRows> => {
    const { rows, total } = await state.queries.run(plan, { signal, patternMs, withTotal });
    return { rows, headers: total === null ? {} : { "x-records": String(total) } };
  };
  const options = { gzip, headers, pieces: textPieces(format, plan.columns, page) };
  return admission.inTurn([plan.rows], signal, async () => admission.answer(request, signal, open, options));
}

async function downloadFile(
  { queries, archives }: ExplorerServices,
  request: HttpRequest,
  { state, plan, format, headers }: FileDownload,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { admission, settings } = queries;
  return admission.export(request, signal, async (begin) => {
    const found = await state.queries.run(plan, { signal, patternMs: settings.patternMs });
    const options = { columns: plan.columns, signal };
    const body = await fileStream(rowTexts(found.rows), format, options, archives.uploads, begin);
    return { status: 200, headers, body };
  });
}
