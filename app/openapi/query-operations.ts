import { countedEvents, summaries } from "#storage/query/compile/counts.ts";
import type { QueryRoute } from "../routes/query-table.ts";
import { parametersTaken, type TakenParameter } from "./query-parameters.ts";
import { error, json, mediaReplies, object, plain, schemaNamed } from "./replies.ts";
import type { Body, Operation, Parameter, PathItem, Reply, Schema } from "./types.ts";

/** Examples of path segments. */
const examples: Readonly<Record<string, string>> = {
  certname: "web-01.example.com",
  node: "web-01.example.com",
  report: "fe13c8d4a4bb2a1b2d0c4d5a0f1a1c5b8a1e7c33",
  fact: "kernel",
  value: "Linux",
  type: "File",
  title: "/etc/motd",
  environment: "production",
  producer: "puppet.example.com",
};

/** At the root a query names its entity. */
const ROOT_QUERY = "nodes[certname, latest_report_status] { limit 10 }";

const counts = { type: "integer", minimum: 0 } as const;
/** The default counts, and those that replace some of them with `store-corrective-change`. */
const eventCounts: Schema = Object.fromEntries(
  [false, true].flatMap((countsCorrective) =>
    Object.keys(countedEvents({ countsCorrective })).map((name) => [name, counts]),
  ),
);

/** The operations of a route below `/pdb/query/v4`. */
export function queryOperations(route: QueryRoute): PathItem {
  const taken = parametersTaken(route.rules).map((each) =>
    route.kind === "root" && each.name === "query" ? { ...each, example: ROOT_QUERY } : each,
  );
  const inUrl = taken.map(({ name, description, schema, required, example }): Parameter => ({
    name,
    in: "query",
    description,
    required,
    schema,
    ...(required ? { example } : {}),
  }));
  const answered = withoutParameters(route);
  const get: Operation = {
    ...answered,
    parameters: [...segments(route), ...inUrl],
    responses: { ...answered.responses, "302": inBrowser },
  };
  // The body of a POST is ignored.
  if (route.rules.query === "refused") return { get };
  return { get, post: { ...answered, parameters: segments(route), requestBody: bodyOf(taken) } };
}

const inBrowser: Reply = {
  description:
    "To the explorer's workbench with this query, for a browser (an Accept header with HTML and XHTML but not JSON)",
  headers: { Location: { description: "Its address", schema: { type: "string" } } },
};

/** Segments of the path, described by the field that they fix. */
function segments(route: QueryRoute): Parameter[] {
  const fixed = "restrict" in route ? Object.entries(route.restrict) : [];
  return [...route.path.matchAll(/:(\w+)/g)].map(([, segment = ""]) => {
    const field = fixed.find(([, by]) => by === segment)?.[0];
    const kind = route.parents?.find((parent) => parent.segment === segment)?.kind;
    const what = kind === "report" ? kind : segment;
    return {
      name: segment,
      in: "path",
      required: true,
      description: field === undefined ? `Which ${what}` : `The \`${field}\` of the rows to return`,
      schema: { type: "string" },
      example: examples[what],
    };
  });
}

function bodyOf(taken: readonly TakenParameter[]): Body {
  const properties = taken.map(({ name, schema, inBody, description }) => [
    name,
    { ...(inBody ?? schema), description },
  ]);
  const required = taken.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
  const schema: Schema = {
    ...object(Object.fromEntries(properties) as Record<string, Schema>, ...required),
    additionalProperties: false,
  };
  const example = Object.fromEntries(taken.flatMap((each) => (each.required ? [[each.name, each.example]] : [])));
  return { description: "The parameters as an object", content: { "application/json": { schema, example } } };
}

function withoutParameters(route: QueryRoute): Operation {
  const { summary, description, ok, absent } = textsOf(route);
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    responses: {
      "200": route.rules.paging && route.kind !== "single" ? withTotal(ok) : ok,
      "400": plain("The query or a parameter is invalid"),
      ...(absent === undefined ? {} : { "404": error(`Unknown ${absent}`) }),
      ...mediaReplies,
      "500": plain("The query exceeded its time limit"),
    },
  };
}

interface Texts {
  readonly summary: string;
  readonly description?: string;
  readonly ok: Reply;
  /** the kind of thing whose absence is a 404 */
  readonly absent?: string;
}

function textsOf(route: QueryRoute): Texts {
  const { kind } = route;
  const absent = kind === "single" ? route.what : route.parents?.at(-1)?.kind;
  const more = absent === undefined ? {} : { absent };
  switch (kind) {
    case "root":
      return {
        summary: "Rows of the entity that the query names",
        description: `Of active nodes, unless the query has a condition on \`node_state\`.`,
        ok: json("Rows, the AST, or the plan of the engine", {}),
      };
    case "list":
      return {
        summary: `Rows of ${route.entity}${byFields(Object.keys(route.restrict))}`,
        ...(route.activeOnly
          ? { description: "Of active nodes, unless the query has a condition on `node_state`." }
          : {}),
        ok: json("Rows", { type: "array", items: schemaNamed(route.entity) }),
        ...more,
      };
    case "single":
      return { summary: `One of ${route.entity}`, ok: json("The row", schemaNamed(route.entity)), ...more };
    case "document":
      return {
        summary: `The ${route.part} of a report`,
        ok: json("As the agent sent them", { type: ["array", "null"], items: { type: "object" } }),
        ...more,
      };
    case "counts":
      return { summary: "Counts of events", ok: json("A row per subject", { type: "array", items: countsSchema }) };
    case "aggregate-counts":
      return {
        summary: "Totals of counts of events",
        ok: json("A row per value of summarize_by", { type: "array", items: totalsSchema }),
      };
  }
}

const summarized = { enum: Object.keys(summaries) } as const;

const countsSchema = object({
  subject_type: summarized,
  subject: object({ title: { type: ["string", "null"] }, type: { type: "string" } }, "title"),
  ...(eventCounts as Record<string, Schema>),
});

const totalsSchema = object({
  summarize_by: summarized,
  total: counts,
  ...(eventCounts as Record<string, Schema>),
});

function byFields(fields: readonly string[]): string {
  return fields.length === 0 ? "" : ` of one ${fields.join(" and ")}`;
}

function withTotal(reply: Reply): Reply {
  const description = "With include_total=true: rows before limit and offset";
  return { ...reply, headers: { "X-Records": { description, schema: counts } } };
}
