import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW, time } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { census, SAMPLE, workFolder } from "../census.ts";
import { hasTerminals } from "../terminal.ts";
import { ScreenTerminal } from "../top/screens.ts";

const folder = workFolder();
const data = join(folder, "data");
const WEB = "web-01.example.com";
const RUNS = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;

/** A file of a catalog, declared in a line. */
function motd(line: number, parameters: { readonly [name: string]: string }): ReturnType<typeof payloads.fileResource> {
  return payloads.fileResource({ title: "/etc/motd", file: "/code/motd.pp", line, parameters });
}

beforeAll(async () => {
  const store = await Store.open({ directory: data, clock: fixedClock(NOW) });
  const main = payloads.classResource();
  const package_inventory = [["nginx", "1.24", "apt"]];
  await store.submit(
    a.facts(WEB, { producer_timestamp: "2026-11-17T10:00:00Z", values: { kernel: "6.1" }, package_inventory }),
  );
  await store.submit(
    a.catalog(WEB, { producer_timestamp: "2026-11-17T10:00:10Z", code_id: "c1", resources: [main], edges: [] }),
  );
  await store.submit(
    a.catalog(WEB, {
      producer_timestamp: "2026-11-18T10:00:10Z",
      code_id: "c2",
      transaction_uuid: RUNS[0],
      resources: [main, motd(3, { mode: "0644", owner: "root" })],
      edges: [],
    }),
  );
  await store.submit(
    a.catalog(WEB, {
      producer_timestamp: "2026-11-19T10:00:10Z",
      code_id: "c3",
      transaction_uuid: RUNS[1],
      resources: [main, motd(3, { mode: "0600", owner: "root" })],
      edges: [],
    }),
  );
  await store.submit(
    a.facts(WEB, {
      producer_timestamp: "2026-11-20T10:00:00Z",
      values: { kernel: "6.12" },
      package_inventory: [["nginx", "1.26", "apt"]],
    }),
  );
  for (const [day, version] of ["18", "20"].entries()) {
    const values = { "site.kernel": `6.${day}`, mounts: { "/var.d": { size: day } } };
    const producer_timestamp = `2026-11-${version}T10:00:00Z`;
    await store.submit(a.facts("db-01.example.com", { producer_timestamp, values }));
  }
  await store.submit(
    a.facts("web-02.example.com", { producer_timestamp: "2026-11-20T10:00:00Z", values: { kernel: "6.1" } }),
  );
  await store.close();
});

/** The rows that a command prints. */
async function rows(...words: readonly string[]): Promise<readonly unknown[]> {
  const { code, stdout, stderr } = await census([...words, "--data", data, "--output", "json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as readonly unknown[];
}

const kernel = { from: "2026-11-20T10:00:00.000Z", certname: WEB, what: "kernel", before: "6.1", after: "6.12" };
const nginx = { certname: WEB, what: "nginx", before: "1.24", after: "1.26" };
const file = { certname: WEB, what: "File[/etc/motd]" };
const added = { ...file, before: null, after: { mode: "0644", owner: "root" }, transaction: RUNS[0] };
const changed = { ...file, before: { mode: "0644" }, after: { mode: "0600" }, transaction: RUNS[1] };

describe("census log --commonest", () => {
  it("counts equal changes, the most frequent first", async () => {
    const found = await rows("log", "--commonest");
    expect(found).toHaveLength(8);
    expect(found).toEqual(
      expect.arrayContaining([
        { count: 1, what: "kernel", change: "changed", before: "6.1", after: "6.12" },
        { count: 1, what: "File[/etc/motd]", change: "added", before: null, after: null },
        { count: 1, what: "File[/etc/motd]", change: "changed", before: null, after: null },
      ]),
    );
  });

  it("counts those between two times, and those of a node", async () => {
    const [since, until] = ["2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z"];
    const between = await rows("log", "--commonest", "--since", since, "--until", until);
    expect(between).toMatchObject([
      { what: "File[/etc/motd]", change: "added" },
      { what: "code_id", after: "c2" },
    ]);
    expect(await rows("log", "--commonest", WEB)).toHaveLength(6);
    expect(await rows("log", "--commonest", "web-02.example.com")).toEqual([]);
  });

  it("takes no fact or resource, and without it something is needed", async () => {
    for (const words of [["log", "kernel", WEB, "--commonest"], ["log"]]) {
      expect((await census([...words, "--data", data])).code).toBe(2);
    }
  });
});

describe("census log", () => {
  it("of a node lists its changes, the newest first, of resources what is different", async () => {
    expect(await rows("log", WEB)).toMatchObject([
      kernel,
      nginx,
      changed,
      { what: "code_id", before: "c2", after: "c3" },
      added,
      { what: "code_id", before: "c1", after: "c2" },
      { what: "catalog", before: null },
      { what: "facts", before: null },
    ]);
  });

  it("takes a time, a limit, and a short name of a node", async () => {
    expect(await rows("log", "web-01", "--since", "2026-11-19")).toMatchObject([
      kernel,
      nginx,
      changed,
      { what: "code_id" },
    ]);
    expect(await rows("log", WEB, "--since", "2026-11-19", "--limit", "1")).toMatchObject([kernel]);
  });

  it.each([
    ["kernel", [kernel]],
    ["nginx", [nginx]],
    ["File[/etc/motd]", [changed, added]],
  ])("of %s lists its changes on all nodes", async (of, expected) => {
    expect(await rows("log", of)).toMatchObject(expected);
    expect(await rows("log", of, "web-02.example.com")).toEqual([]);
  });

  it.each(['mounts."/var.d".size', "mounts./var.d.size", '"site.kernel"', "site.kernel"])(
    "of %s, a path with dots in its parts, lists its changes",
    async (of) => {
      const what = of.replaceAll('"', "");
      expect(await rows("log", of)).toMatchObject([{ certname: "db-01.example.com", what }]);
    },
  );

  it("of something unknown is an error that names it", async () => {
    for (const subject of ["nosuch", "File[/nosuch]"]) {
      const { code, stderr } = await census(["log", subject, "--data", data]);
      expect(code).toBe(2);
      expect(stderr).toContain("nosuch");
    }
  });
});

/** What a row says of a run: its day, the code version, the transaction. */
function sinceDay(day: number, code_id: string, transaction: string): object {
  return { since: `2026-11-${day}T10:00:10.000Z`, code_id, transaction };
}

it("says so where no changes are recorded", async () => {
  for (const words of [
    ["log", "berth-0024"],
    ["log", "openssl"],
    ["log", "--commonest"],
  ]) {
    const { code, stdout, stderr } = await census([...words, SAMPLE]);
    expect({ code, stdout, stderr }).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("log: no changes are recorded here"),
    });
  }
});

describe("census log --current", () => {
  it("shows since when a resource and each parameter is as it is, with code version and run", async () => {
    expect(await rows("log", "--current", "File[/etc/motd]", WEB)).toEqual([
      { what: "File[/etc/motd]", value: "/code/motd.pp:3", ...sinceDay(18, "c2", RUNS[0]) },
      { what: "mode", value: "0600", ...sinceDay(19, "c3", RUNS[1]) },
      { what: "owner", value: "root", ...sinceDay(18, "c2", RUNS[0]) },
    ]);
  });

  it("leaves the time out of what has not changed since changes are recorded", async () => {
    expect(await rows("blame", "web-01", "class[main]")).toEqual([
      { what: "Class[Main]", value: null, since: null, code_id: null, transaction: null },
    ]);
  });

  it("is what the former command answers", async () => {
    expect(await rows("blame", WEB, "File[/etc/motd]")).toEqual(await rows("log", "--current", WEB, "File[/etc/motd]"));
  });

  it("refuses what is no resource, or none of the node", async () => {
    const unreadable = await census(["log", "--current", WEB, "/etc/motd", "--data", data]);
    expect(unreadable).toMatchObject({ code: 2 });
    expect(unreadable.stderr).toContain("RESOURCE must be Type or Type[title]");
    const unknown = await census(["log", "--current", WEB, "File[/etc/mtod]", "--data", data]);
    expect(unknown.stderr).toContain("/etc/mtod");
  });
});

describe("--as-of", () => {
  const past = join(folder, "past");
  const [first, second, end] = ["2026-11-18T10:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T00:00:00Z"] as const;
  beforeAll(async () => {
    let now = time(first);
    const store = await Store.open({ directory: past, clock: { now: () => now } });
    await store.submit(a.facts(WEB, { producer_timestamp: first, values: { kernel: "6.1" } }, now));
    now = time(second);
    await store.submit(a.facts(WEB, { producer_timestamp: second, values: { kernel: "6.12" } }, now));
    await store.submit(a.facts("web-02.example.com", { producer_timestamp: second, values: { kernel: "6.1" } }, now));
    for (const [at, mode] of [
      [first, "0640-before"],
      [second, "0600-after"],
    ] as const) {
      await store.submit(
        a.catalog(
          WEB,
          { producer_timestamp: at, resources: [payloads.classResource(), motd(3, { mode })], edges: [] },
          time(at),
        ),
      );
    }
    await store.close();
  });
  const options = ["--data", past, "--now", end, "--output", "json"];

  it.each([
    [["query", 'facts[certname, value] { name = "kernel" }', "--as-of", "2026-11-19 12:00"]],
    [["query", 'facts[certname, value] { name = "kernel" }', "--as-of", "2d"]],
    [["sql", "SELECT certname, value FROM facts WHERE name = 'kernel'", "--as-of", "2d"]],
  ])("%j", async (words) => {
    const { code, stdout, stderr } = await census([...words, ...options]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toStrictEqual([{ certname: WEB, value: "6.1" }]);
  });

  it.each([
    ["12h", "0600-after"],
    ["2d", "0640-before"],
  ])("searches the parameters of %s ago", async (moment, mode) => {
    const found = await census(["search", "06", "--kind", "parameter", "--as-of", moment, ...options]);
    expect(JSON.parse(found.stdout)).toStrictEqual([
      { kind: "parameter", name: "File[/etc/motd] mode", match: mode, count: 1 },
    ]);
  });

  it("is an option of commands that list things", async () => {
    const { stdout } = await census(["nodes", "--as-of", "12h", ...options]);
    expect(JSON.parse(stdout)).toHaveLength(2);
    const earlier = await census(["nodes", "--as-of", "2d", ...options]);
    expect(JSON.parse(earlier.stdout)).toHaveLength(1);
  });

  it("lists the nodes for other tools", async () => {
    const groups = ["--format", "prometheus-sd", "--group", "none", "--var", "kernel"];
    const { stdout } = await census(["inventory", ...groups, "--as-of", "2d", ...options.slice(0, -2)]);
    expect(JSON.parse(stdout)).toStrictEqual([{ targets: [`${WEB}:9100`], labels: { certname: WEB, kernel: "6.1" } }]);
  });

  it.skipIf(!hasTerminals("census top"))("shows the full-screen view of that time", async () => {
    const terminal = new ScreenTerminal(["top", "--as-of", "2d", ...options.slice(0, -2)]);
    const lines = await terminal.until((screen) => screen.includes("q quit"));
    expect(lines[0]).toMatch(/as of 2026-11-19 00:00$/);
    expect(lines.join("\n")).toContain("2 nodes 1");
    terminal.type("q");
    expect(await terminal.ended()).toBe(0);
  });

  it.each([
    [["tail"], "tail prints what arrives from now on; use census reports or census events with --as-of"],
    [["watch", "nodes{}"], "watch reports what changes, and a past state does not; use census query --as-of"],
    [["export", join(folder, "no.tgz")], "not all values of a past state are recorded"],
  ])("is refused by %j, with the reason", async (words, reason) => {
    for (const option of [["--as-of", "2d"], ["--as-of=2d"]]) {
      const { code, stdout, stderr } = await census([...words, ...option, "--data", past]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`census: ${words[0]}: --as-of is not possible: ${reason}`);
    }
  });

  it.each([
    [
      "9d",
      "as_of: 2026-11-12T00:00:00.000Z is before the recorded history; the earliest time is 2026-11-18T10:00:00.000Z",
    ],
    ["2026-11-22", "as_of: 2026-11-22T00:00:00.000Z is in the future; it is 2026-11-21T00:00:00.000Z now"],
    ["noon", "--as-of must be a timestamp such as 2026-11-20T12:00:00Z or a duration such as 90m, 2h, 7d or 4w"],
  ])("%s is an error that says why", async (moment, message) => {
    const { code, stderr } = await census(["query", "nodes{}", "--as-of", moment, ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
