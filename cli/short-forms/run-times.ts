import type { JsonObject } from "#storage/json.ts";
import type { SlowerNodes, SlowestTypes } from "#storage/query/run-times/answer.ts";
import { MOST_BUCKETS } from "#storage/query/histogram/buckets.ts";
import type { HistogramSpec } from "#storage/query/histogram/histogram.ts";
import type { Histogram } from "#storage/query/histogram/result.ts";
import type { Queries } from "#storage/query/queries.ts";
import { UsageError } from "../errors.ts";
import { momentAt, readMoment } from "../moment.ts";
import { answerPlace, writeAnswer } from "../output/answer.ts";
import { aboutResult } from "../output/page-of.ts";
import { rowsOf } from "../output/rows.ts";
import { chooseSource } from "../sources/choice.ts";
import type { OpenSource, ServerSource } from "../sources/open-source.ts";
import { readLimit, readOrderBy } from "../sources/paging.ts";
import { withSource } from "../sources/source.ts";
import { ordered } from "./groups.ts";
import type { NodesArguments } from "./nodes.ts";
import type { ShortFormArguments } from "./options.ts";
import { equal } from "./pql.ts";
import type { ReportsArguments } from "./reports.ts";

/** A list that is computed of many runs, where they are. */
export interface RunTimesList {
  /** The command and its option: `nodes --slower`. */
  readonly name: string;
  /** Options that only other lists of the command have, by their names. */
  readonly others?: Readonly<Record<string, string | boolean | undefined>>;
  readonly read: (source: OpenSource) => Promise<JsonObject[]>;
}

/** Writes such a list. @throws UsageError for options that it does not have */
export async function runTimesList(list: RunTimesList, args: ShortFormArguments): Promise<void> {
  const { name, others = {}, read } = list;
  const [command = ""] = name.split(" ");
  for (const [option, value] of Object.entries({ ...others, pql: args.pql })) {
    if (value) throw new UsageError(`${name} cannot be used with --${option}`);
  }
  const limit = readLimit(args.limit);
  const orderBy = readOrderBy(args["order-by"]) ?? [];
  const choice = chooseSource(command, args);
  const place = answerPlace(args);
  await withSource(choice, ["reports"], async (source) => {
    const rows = ordered(await read(source), orderBy);
    const about = aboutResult(source, { title: `Census ${name}` });
    await writeAnswer(rowsOf(rows.slice(0, limit)), place, { ...about, total: () => rows.length });
  });
}

/** Types of resources by the time that the latest runs spent on them. */
export function slowestTypes(resource: string | undefined): RunTimesList {
  if (resource !== undefined) {
    throw new UsageError("resources: --slowest lists types; reports have no times of resources");
  }
  return {
    name: "resources --slowest",
    read: async (source) => {
      const { types } =
        source.kind === "url"
          ? ((await source.explorer("run-times/types", {})) as unknown as SlowestTypes)
          : await (await source.queries(["reports"])).slowestTypes();
      return types.map(({ type, seconds, runs, longest, certname }) => ({
        type,
        seconds: tenths(seconds),
        runs,
        mean: tenths(seconds / runs),
        longest: tenths(longest),
        certname,
      }));
    },
  };
}

/** Nodes whose last runs take longer than their own before. */
export function slowerNodes({ environment, ...args }: NodesArguments): RunTimesList {
  const { certname, status, silent, fact, class: className, state, count } = args;
  return {
    name: "nodes --slower",
    others: { certname, status, silent, fact, class: className, state, count },
    read: async (source) => {
      const { nodes } =
        source.kind === "url"
          ? ((await source.explorer("run-times/nodes", { env: environment })) as unknown as SlowerNodes)
          : await (await source.queries(["reports"])).slowerNodes({ environment });
      return nodes.map(({ certname, earlier, recent, factor, runs }) => ({
        certname,
        earlier: tenths(earlier),
        recent: tenths(recent),
        factor: tenths(factor),
        runs,
      }));
    },
  };
}

const DAY = 86_400_000;

/** How long runs took, day by day in UTC; in weeks where there are too many days. */
export function dailyTimes(args: ReportsArguments): RunTimesList {
  const { certname, status, environment, since = "14d", latest, flapping, sort } = args;
  const begin = readMoment("--since", since);
  const conditions = [equal("certname", certname), equal("status", status), equal("environment", environment)];
  const query = `reports{ ${conditions.filter((condition) => condition !== undefined).join(" and ")} }`;
  return {
    name: "reports --by-day",
    others: { latest, flapping, sort },
    read: async (source) => {
      const now = await source.now();
      const [from, to] = [Number(momentAt(begin, now) / 1000n), Number(now / 1000n) + 1];
      const days = Math.min(MOST_BUCKETS, Math.max(1, Math.ceil((to - from) / DAY)));
      const spec = { field: "end_time", measure: "duration", from, to, buckets: days, zone: "UTC" } as const;
      const { buckets } =
        source.kind === "url"
          ? await ofServer(source, query, spec)
          : await ofStore(await source.queries(["reports"]), { pql: query, ...spec });
      return buckets.map(([day, runs = 0, median = 0, p95 = 0]) => ({
        from: day,
        runs,
        median: tenths(median),
        p95: tenths(p95),
      }));
    },
  };
}

async function ofStore(queries: Queries, spec: HistogramSpec): Promise<Histogram> {
  return queries.histogram(queries.planHistogram(spec));
}

async function ofServer(source: ServerSource, query: string, spec: Omit<HistogramSpec, "pql">): Promise<Histogram> {
  const { field, measure, zone } = spec;
  const [from, to] = [new Date(spec.from).toISOString(), new Date(spec.to).toISOString()];
  const parameters = { query, field, measure, from, to, buckets: String(spec.buckets), zone };
  return (await source.explorer("histogram", parameters)) as unknown as Histogram;
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
