import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { formatTimestamp } from "#storage/time.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { time } from "#test/fixture-store.ts";
import { FIRST, inOrderOfArrival, randomCommands } from "#test/storage/history/random-commands.ts";
import { TimedStore } from "#test/storage/history/timed-store.ts";
import { apiPath } from "./api-path.ts";

const COUNT = 120;
const END = "2026-11-20T12:00:00Z";

type Parameters = Record<string, string | readonly string[]>;

const requests: readonly (readonly [path: string, parameters: Parameters])[] = [
  [
    "facets",
    { query: "nodes{}", facet: ["state", "facts.os.release.full", "catalogs.producer", "report_environment"] },
  ],
  ["facets", { query: "nodes{}", facet: ["facts.kernel"], filter: ['facts.os.name="Debian"'] }],
  ["facets", { query: "resources{}", facet: ["type", "parameters.mode"], per: "certname" }],
  ["facets", { query: 'fact_contents{ name = "disks" }', facet: ["path"], distinct: "value" }],
  ["facets", { query: "package_inventory{}", facet: ["package_name", "version"] }],
  ["histogram", { query: "reports{}", field: "producer_timestamp", by: "status", last: "24h" }],
  ["histogram", { query: "events{}", field: "timestamp", by: "status", last: "24h" }],
  ["issues", { last: "24h" }],
  ["issues", { last: "1h", query: 'nodes{ certname ~ "a$" }' }],
  ["differences", { selection: 'nodes{ certname ~ "^[ab]" }' }],
  ["differences", { selection: 'nodes{ latest_report_status = "failed" }', kind: ["class", "fact", "package"] }],
  ["rows", { query: "nodes[certname, latest_report_status]{ order by certname }", format: "json" }],
  ["rows", { query: "resources[certname, type, title, parameters]{ order by certname, type, title }", format: "csv" }],
  ["about", {}],
];

/** What is of the store as a whole and not of a state, or becomes known in the background, is left out. */
function comparable(text: string): unknown {
  if (!text.startsWith("{")) return text;
  const omitted = ["revision", "isComplete", "isNew", "now", "store", "history"];
  return JSON.parse(text, (key, value: unknown) => (omitted.includes(key) ? undefined : value)) as unknown;
}

async function answerOf(served: Served, path: string, parameters: Parameters): Promise<unknown> {
  const { status, text } = await served.get(apiPath(path, parameters), { "cache-control": "no-cache" });
  expect({ path, parameters, status, text }).toMatchObject({ status: 200 });
  return comparable(text);
}

describe.each([1, 2])("the explorer's endpoints as of random moments (seed %i)", (seed) => {
  const commands = randomCommands(seed, COUNT);
  const random = new Random(seed, "moments of pages");
  const moments = Array.from({ length: 4 }, () => commands[random.integer(FIRST, COUNT - 1)]?.at ?? "").sort();
  let present: Served;
  let then: Served;
  let fed: TimedStore;
  beforeAll(async () => {
    const stored = await TimedStore.open();
    await stored.goOn(inOrderOfArrival(seed, commands), time(END));
    present = await serve(stored.store);
    fed = await TimedStore.open();
    then = await serve(fed.store);
  });
  afterAll(async () => {
    await Promise.all([present.close(), then.close()]);
  });

  it.each(moments)("return what they returned then (%s)", async (moment) => {
    await fed.goOn(commands, time(moment));
    await fed.store.lifecycle.clean({ operations: new Set(["other"]), purgeLimit: null });
    for (const [path, parameters] of requests) {
      const past = await answerOf(present, path, { ...parameters, as_of: moment });
      const expected = await answerOf(then, path, parameters);
      expect.soft({ path, parameters, past }).toStrictEqual({ path, parameters, past: expected });
    }
  });

  it("differ from those of the present", async () => {
    const [moment = ""] = moments;
    const answers = await Promise.all(
      requests.map(async ([path, parameters]) => [
        await answerOf(present, path, { ...parameters, as_of: moment }),
        await answerOf(present, path, parameters),
      ]),
    );
    const differing = requests.filter((_, index) => {
      const [past, now] = answers[index] ?? [];
      return JSON.stringify(past) !== JSON.stringify(now);
    });
    const paths = (of: typeof requests): string[] => [...new Set(of.map(([path]) => path))];
    expect(paths(differing)).toStrictEqual(paths(requests));
  });

  it("refuse a time before the history, of which about returns the earliest state", async () => {
    const earliest = (await present.get(apiPath("about"))).text;
    const { history } = JSON.parse(earliest) as { history: string };
    const before = formatTimestamp(time(history) - 1_000_000n);
    for (const [path, parameters] of requests.filter(([name]) => name !== "about")) {
      const { status, text } = await present.get(apiPath(path, { ...parameters, as_of: before }));
      expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining(history) as string });
    }
    expect(await answerOf(present, "about", { as_of: before })).toStrictEqual(
      await answerOf(present, "about", { as_of: history }),
    );
  });
});
