import { z } from "zod";
import { get, post, type RecordedClient } from "./client-request.ts";
import { read, text } from "./shapes.ts";

const mq = (name: string): string => `puppetlabs.puppetdb.mq:name=global.${name}`;

const collected = [
  mq("processed"),
  mq("depth"),
  mq("processing-time"),
  mq("discarded"),
  mq("fatal"),
  mq("retried"),
  "puppetlabs.puppetdb.storage:name=replace-facts-time",
  "puppetlabs.puppetdb.storage:name=gc-time",
  "puppetlabs.puppetdb.dlo:name=puppetlabs.puppetdb.dlo.global.messages",
  "puppetlabs.puppetdb.population:name=num-nodes",
];

/** What the collector requests as well, and what may be missing: pools of connections and of threads. */
const tolerated = [
  "puppetlabs.puppetdb.database:name=PDBReadPool.pool.ActiveConnections",
  "org.eclipse.jetty.util.thread:id=*,type=queuedthreadpool",
];

const found = (mbean: string) =>
  z.looseObject({
    request: z.looseObject({ mbean: z.literal(mbean) }),
    value: z.looseObject({}),
    status: z.literal(200),
  });
const missing = (mbean: string) =>
  z.looseObject({ request: z.looseObject({ mbean: z.literal(mbean) }), status: z.literal(404) });

/** As many answers as requests, each in its place. */
const inOrder = (answers: readonly z.ZodType[]) => z.tuple(answers as [z.ZodType, ...z.ZodType[]]);

/** Bulk requests with a key that Jolokia does not know (`reference/clients.md §12`). */
export const metricsCollector: RecordedClient = {
  client: "puppet_metrics_collector",
  headers: { Accept: "*/*", "User-Agent": "Ruby", "Content-Type": "application/json" },
  requests: [
    get(
      "every service at its most talkative",
      "/status/v1/services?level=debug",
      {},
      z.looseObject({
        "puppetdb-status": z.looseObject({ detail_level: z.literal("debug"), state: z.literal("running") }),
        "status-service": z.looseObject({ status: z.looseObject({ experimental: z.looseObject({}) }) }),
      }),
    ),
    post(
      "all metrics at once",
      "/metrics/v2/read",
      [...collected, ...tolerated].map((mbean) => ({ type: "read", name: mbean, mbean })),
      inOrder([...collected.map(found), ...tolerated.map((mbean) => z.union([found(mbean), missing(mbean)]))]),
    ),
  ],
};

const wanted = [
  { mbean: "java.lang:type=Memory", attribute: "HeapMemoryUsage", path: "used" },
  { mbean: mq("processing-time"), attribute: "50thPercentile" },
  { mbean: "puppetlabs.puppetdb.population:name=num-nodes", attribute: "Value" },
] as const;

/** An answer belongs to its request by what it repeats of it (`reference/clients.md §12`). */
export const telegraf: RecordedClient = {
  client: "telegraf (jolokia2_agent)",
  headers: { "Content-Type": "application/json", "User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip" },
  requests: [
    post(
      "what it is set to gather",
      "/metrics/v2/read",
      [...wanted, { mbean: "java.lang:type=Nope" }].map((item) => ({ type: "read", ...item })),
      inOrder([...wanted.map((item) => figure(echo(item))), missing("java.lang:type=Nope")]),
    ),
  ],
};

function figure(request: z.ZodRawShape) {
  return z.looseObject({ request: z.looseObject(request), value: z.number(), status: z.literal(200) });
}

function echo(item: Readonly<Record<string, string>>): z.ZodRawShape {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, z.literal(value)]));
}

const number = z.number();
const usage = z.looseObject({ init: number, committed: number, max: number, used: number });
const pool = (which: string, what: string) =>
  get(
    `${which} pool: ${what}`,
    `/metrics/v2/read/puppetlabs.puppetdb.database:name=PDB${which}Pool.pool.${what}`,
    {},
    read(z.looseObject({ Value: number })),
  );

/** Thresholds over single figures (`reference/clients.md §12`). */
export const nagios: RecordedClient = {
  client: "nagios check",
  headers: { "User-Agent": "check_puppetdb" },
  requests: [
    get("the version", "/pdb/meta/v1/version", {}, z.looseObject({ version: text })),
    get(
      "how fast commands are processed",
      `/metrics/v2/read/${mq("processing-time")}`,
      {},
      read(
        z.looseObject({
          "50thPercentile": number,
          MeanRate: number,
          OneMinuteRate: number,
          FiveMinuteRate: number,
          FifteenMinuteRate: number,
        }),
      ),
    ),
    ...["Read", "Write"].flatMap((which) => [pool(which, "ActiveConnections"), pool(which, "TotalConnections")]),
    get(
      "memory",
      "/metrics/v2/read/java.lang:type=Memory",
      {},
      read(z.looseObject({ HeapMemoryUsage: usage, NonHeapMemoryUsage: usage })),
    ),
    get(
      "threads",
      "/metrics/v2/read/java.lang:type=Threading",
      {},
      read(z.looseObject({ ThreadCount: number, PeakThreadCount: number })),
    ),
  ],
};
