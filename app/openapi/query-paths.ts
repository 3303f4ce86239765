import { countedEvents, summaries } from "#storage/query/compile/counts.ts";
import { queryRoot } from "../routes/query.ts";
import { type QueryRoute, queryRoutes } from "../routes/query-routes.ts";
import { parametersTaken, type TakenParameter } from "./query-parameters.ts";
import { error, json, mediaReplies, object, plain, schemaNamed } from "./replies.ts";
import type { Body, Operation, Parameter, PathItem, Paths, Reply, Schema } from "./types.ts";

/** What segments of paths could be. */
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
/** Those that are told by default, and those that `store-corrective-change` puts in the place of some. */
const eventCounts: Schema = Object.fromEntries(
  [false, true].flatMap((countsCorrective) =>
    Object.keys(countedEvents({ countsCorrective })).map((name) => [name, counts]),
  ),
);

/** Everything below `/pdb/query/v4`, from the table that requests are answered by. */
export function queryPaths(): Paths {
  return Object.fromEntries(queryRoutes.map((route) => [templateOf(route.path), pathItem(route)]));
}

function templateOf(path: string): string {
  return `${queryRoot}${path === "" ? "" : `/${path}`}`.replaceAll(/:(\w+)/g, "{$1}");
}

function pathItem(route: QueryRoute): PathItem {
  const taken = parametersTaken(route.rules).map((each) =>
    route.kind === "root" && each.name === "query" ? { ...each, example: ROOT_QUERY } : each,
  );
  const asked = taken.map(({ name, description, schema, required, example }): Parameter => ({
    name,
    in: "query",
    description,
    required,
    schema,
    ...(required ? { example } : {}),
  }));
  const get: Operation = { ...answerOf(route), parameters: [...segments(route), ...asked] };
  // The body of a POST is not looked at.
  if (route.rules.query === "refused") return { get };
  return { get, post: { ...answerOf(route), parameters: segments(route), requestBody: bodyOf(taken) } };
}

/** Segments of the path, told by what they fix. */
function segments(route: QueryRoute): Parameter[] {
  const fixed = "restrict" in route ? Object.entries(route.restrict) : [];
  return [...route.path.matchAll(/:(\w+)/g)].map(([, segment = ""]) => {
    const field = fixed.find(([, by]) => by === segment)?.[0];
    const kind = route.parent?.segment === segment ? route.parent.kind : undefined;
    const what = kind === "report" ? "report" : segment === "hash" ? (field ?? segment) : segment;
    return {
      name: segment,
      in: "path",
      required: true,
      description: field === undefined ? `Which ${what}` : `The \`${field}\` of the rows that are wanted`,
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

function answerOf(route: QueryRoute): Operation {
  const { summary, description, ok, absent } = wordsOf(route);
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    responses: {
      "200": route.rules.paging && route.kind !== "single" ? withTotal(ok) : ok,
      "400": plain("What is wrong with the query or its parameters"),
      ...(absent === undefined ? {} : { "404": error(`There is no such ${absent}`) }),
      ...mediaReplies,
      "500": plain("The query took longer than it was allowed to"),
    },
  };
}

interface Words {
  readonly summary: string;
  readonly description?: string;
  readonly ok: Reply;
  /** what a 404 is about */
  readonly absent?: string;
}

function wordsOf(route: QueryRoute): Words {
  const { kind } = route;
  const absent = kind === "single" ? route.what : route.parent?.kind;
  const more = absent === undefined ? {} : { absent };
  switch (kind) {
    case "root":
      return {
        summary: "Rows of the entity that the query names",
        description: `Of active nodes, unless the query says something of \`node_state\`.`,
        ok: json("Rows, or the AST, or the plan of the engine", {}),
      };
    case "list":
      return {
        summary: `Rows of ${route.entity}${byFields(Object.keys(route.restrict))}`,
        ...(route.activeOnly
          ? { description: "Of active nodes, unless the query says something of `node_state`." }
          : {}),
        ok: json("Rows", { type: "array", items: schemaNamed(route.entity) }),
        ...more,
      };
    case "single":
      return { summary: `One of ${route.entity}`, ok: json("The row", schemaNamed(route.entity)), ...more };
    case "document":
      return {
        summary: `The ${route.part} of a report`,
        ok: json("As they were sent", { type: ["array", "null"], items: { type: "object" } }),
        ...more,
      };
    case "counts":
      return { summary: "Counts of events", ok: json("A row per subject", { type: "array", items: countsSchema }) };
    case "aggregate-counts":
      return {
        summary: "Totals of counts of events",
        ok: json("A row per word of summarize_by", { type: "array", items: totalsSchema }),
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
  const description = "With include_total=true: rows there are before limit and offset";
  return { ...reply, headers: { "X-Records": { description, schema: counts } } };
}
