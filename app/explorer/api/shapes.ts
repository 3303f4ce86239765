import type { ComparedArchives, ComparedNode } from "#storage/diff/archives.ts";
import { issueDetailShape, issuesShape } from "#storage/issues/issue.ts";
import { precedingShape } from "#storage/issues/preceding.ts";
import { facetsShape } from "#storage/query/facets/answer.ts";
import { histogramShape } from "#storage/query/histogram/result.ts";
import { slowerNodesShape, slowestTypesShape } from "#storage/query/run-times/answer.ts";
import { linkSubjects, type LinkSubject, panelKinds } from "#storage/saved-queries/types.ts";
import { foundShape } from "#storage/search/finding.ts";
import {
  count,
  either,
  list,
  loose,
  moment,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Shape,
  type Shaped,
  text,
  truth,
} from "#storage/shape.ts";
import { differencesShape } from "#storage/traits/trait.ts";
import { originShape } from "../../status/origin-status.ts";

const progress = object(
  { text: text("What is being done"), done: optional(count("Of `total`")), total: optional(count()) },
  "How much of the archive has been read",
);

const service = {
  version: text(),
  interface: text("Version of PuppetDB's interface"),
  source: object({
    kind: oneOf(["archive", "data", "fixture", "memory"], "`data`: a data directory"),
    name: text("Of the archive or directory, never its path; empty where there is none"),
  }),
  settings: object({
    silentAfter: orNull(
      number("Seconds without a report after which a node is silent; null: its own interval decides"),
    ),
    queryTimeout: orNull(number("Seconds that a query may take; null: no limit")),
    sql: truth("Whether `sql` answers"),
    site: truth("Whether `site` has anything"),
  }),
};

const data = {
  counts: object({
    nodes: count("Active ones"),
    inactive: count(),
    resources: count("Of the catalogs of active nodes"),
    reports: count(),
  }),
  history: orNull(moment("The earliest time that `as_of` may be; null: no changes are recorded")),
  span: object(
    { reports: orNull(loose<readonly [string, string]>({ type: "array", items: moment() })) },
    "When the oldest and the newest report were produced",
  ),
  environments: list(text()),
  features: object({
    packages: truth("Whether any node has packages"),
    correctiveChanges: truth("Whether `corrective_change` is stored"),
  }),
};

const stored = object(
  {
    commandsWaiting: count("Commands that are accepted and not processed yet"),
    origins: list(originShape, "How other servers are followed, as in /status/v1/services/puppetdb-status"),
    bytes: orNull(count("Of the database file and its log; null: in memory")),
    maintenance: object({
      running: orNull(text("What is done now")),
      last: orNull(moment("When it ended the last time since the start")),
    }),
  },
  "At this moment: unlike the data, it changes without any command",
);

const opening = object({ ...service, state: oneOf(["loading"]), progress: optional(progress) });

const whole = object({
  ...service,
  state: oneOf(["loading", "ready"]),
  progress: optional(progress),
  now: moment("The time of the data: of an archive, when it was exported"),
  clock: oneOf(["fixed", "running"]),
  revision: count(
    "Grows with each transaction that changes what is stored. All other answers are of this or a later one",
  ),
  against: orNull(object({ name: text(), now: moment() }, "The archive that the served one is compared with")),
  ...data,
  store: stored,
});

const letter = object({
  name: text(),
  command: text(),
  version: count(),
  certname: text(),
  received: moment(),
  size: count("Bytes"),
  reason: text(),
});

const setting = object({
  section: text(),
  name: text(),
  value: orNull(text()),
  from: text("Where it is set"),
  note: text(),
});

const site = object({
  title: orNull(text()),
  queries: list(
    object({
      name: text(),
      language: oneOf(["pql", "ast", "sql"]),
      text: text(),
      panel: oneOf([...panelKinds, "none"]),
    }),
  ),
  views: list(object({ name: text(), address: text("The path of a page with its parameters") })),
  links: list(
    object({
      label: text(),
      on: oneOf(Object.keys(linkSubjects) as LinkSubject[]),
      url: text("With parts in braces, such as {certname}"),
    }),
  ),
  problem: orNull(text("Why the file cannot be used, with the place in it")),
});

/** What each endpoint that the pages read answers, by its path: the one declaration for it, its description and the pages. */
export const shapes = {
  about: either(opening, whole),
  "archive-comparison": loose<ComparedArchives>({
    type: "object",
    properties: {
      nodes: { type: "object", properties: { added: count(), removed: count(), changed: count(), same: count() } },
      volatile: count("Differences that are left out because they always differ"),
      different: list(loose({ type: "object" }), "Nodes that differ, with the number of differences of each part"),
      common: list(loose({ type: "object" }), "Differences on most nodes"),
      places: count("Differences that `common` is the beginning of"),
    },
    required: ["nodes", "volatile", "different", "common", "places"],
  }),
  "archive-comparison/node": loose<ComparedNode>({
    type: "object",
    properties: { kind: oneOf(["added", "removed", "changed", "same"]) },
    required: ["kind"],
  }),
  "dead-letters": object({ total: count(), letters: list(letter) }),
  differences: differencesShape,
  facets: facetsShape,
  histogram: histogramShape,
  issues: issuesShape,
  "issues/:id": issueDetailShape,
  "issues/:id/preceding": precedingShape,
  "run-times/nodes": slowerNodesShape,
  "run-times/types": slowestTypesShape,
  search: foundShape,
  settings: object({ settings: list(setting) }),
  site,
} as const satisfies Readonly<Record<string, Shape<unknown>>>;

/** The path of such an endpoint. */
export type AnswerPath = keyof typeof shapes;

/** What an endpoint answers; most add the store's `revision`. */
export type Answer<Path extends AnswerPath> = Shaped<(typeof shapes)[Path]>;

/** What is always known of the service, while an archive is being opened too. */
export type Opening = Shaped<typeof opening>;
/** What is known once there are data: all of them, or while an archive is being read some. */
export type About = Shaped<typeof whole>;
export type AboutService = Pick<About, keyof typeof service>;
export type AboutData = Pick<About, keyof typeof data>;
export type AboutStore = About["store"];
export type Progress = Shaped<typeof progress>;
export type Site = Answer<"site">;
