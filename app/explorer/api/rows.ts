import { CensusError } from "#storage/errors.ts";
import type { AboutPage } from "#storage/output/html/page.ts";
import type { Plan } from "#storage/query/query.ts";
import { formatTimestamp } from "#storage/time.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { HttpResponse } from "../../http/response.ts";
import type { OpenedRows } from "../../query/admission.ts";
import { QueryWatch } from "../../query/watch.ts";
import { attachment } from "../attachment.ts";
import { apiHeaders } from "../headers.ts";
import { parquetStream } from "../parquet-file.ts";
import { type DownloadFormatName, downloadFormats, rowTexts, textPieces } from "../row-formats.ts";
import type { ExplorerServices } from "../services.ts";
import { answerInAnyFormat, answerReadably } from "./answer.ts";
import { asOfParameter, type RequestedState, requestedState } from "./as-of.ts";
import { type DescribedParameter, operations } from "./described.ts";
import type { Endpoint } from "./endpoint.ts";
import { flag, type Given, readGiven, required, single } from "./given.ts";
import { LARGEST_BODY, readQuery } from "./selection.ts";

const text = { type: "string" } as const;
const formats = Object.keys(downloadFormats) as DownloadFormatName[];

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
    schema: { enum: formats },
    required: true,
    example: "json",
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
            Object.values(downloadFormats).map(({ type }) => [type.replace(/;.*/, ""), { schema: {} }]),
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
  const format = readFormat(given);
  const selected = readQuery(query, queries.settings);
  const plan = state.queries.plan({
    of: "root",
    ...selected,
    options: { ...selected.options, withDuration: true },
  });
  const { type, extension } = downloadFormats[format];
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
  if (format === "parquet") return downloadParquet(services, request, { state, plan: noted, headers }, signal);
  const page = {
    title: single(given, "name") ?? "rows",
    source: services.explorer.source.name || undefined,
    time: formatTimestamp(state.clock.now()),
    query,
  };
  const download = { state, plan: noted, format, page, withTotal: flag(given, "include_total"), headers };
  return downloadText(services, request, download, signal);
}

/** The rows of a plan. */
interface Download {
  readonly state: RequestedState;
  readonly plan: Plan;
  readonly headers: Readonly<Record<string, string>>;
}

interface TextDownload extends Download {
  readonly format: Exclude<DownloadFormatName, "parquet">;
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

async function downloadParquet(
  { queries, archives }: ExplorerServices,
  request: HttpRequest,
  { state, plan, headers }: Download,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { admission, settings } = queries;
  return admission.export(request, signal, async (begin) => {
    const found = await state.queries.run(plan, { signal, patternMs: settings.patternMs });
    const options = { columns: plan.columns, signal };
    return { status: 200, headers, body: await parquetStream(rowTexts(found.rows), options, archives.uploads, begin) };
  });
}

function readFormat(given: Given): DownloadFormatName {
  const name = required(given, "format");
  const format = formats.find((known) => known === name);
  if (format !== undefined) return format;
  throw new CensusError("bad-input", `parameter 'format' must be one of ${formats.join(", ")}`);
}
