import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SourceChoice } from "#cli/sources/choice.ts";
import type { OpenSource } from "#cli/sources/open-source.ts";
import { openSource } from "#cli/sources/source.ts";
import { classesForm } from "#cli/short-forms/classes.ts";
import { eventsForm } from "#cli/short-forms/events.ts";
import { factsForm } from "#cli/short-forms/facts.ts";
import { nodesForm } from "#cli/short-forms/nodes.ts";
import { packagesForm } from "#cli/short-forms/packages.ts";
import { reportsForm } from "#cli/short-forms/reports.ts";
import { resourcesForm } from "#cli/short-forms/resources.ts";
import { answerOf, type ShortForm } from "#cli/short-forms/run.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import type { Running } from "#test/running.ts";
import {
  archiveDocuments,
  certnamesOf,
  latestReports,
  writePopulation,
  type ArchiveDocuments,
} from "../archive-documents.ts";
import {
  commonFile,
  corrective,
  counts,
  eventsOf,
  factCounts,
  failures,
  flapping,
  groupsOf,
  packagesOf,
  parameterGroups,
  resourcesOf,
  rowsOf,
  type Row,
} from "./archive-rows.ts";
import { census, SAMPLE, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const generated = join(folder, "generated.tgz");

/** When the archives were exported. */
const NOW = parseTimestamp("2026-11-20T12:00:00Z") ?? 0n;

/** An answer, and the same computed from the documents of the archive. */
type Case = readonly [
  words: string,
  form: ShortForm | ((from: ArchiveDocuments) => ShortForm),
  expected: (from: ArchiveDocuments) => Row[],
];

const formOf = (form: Case[1], from: ArchiveDocuments): ShortForm => (typeof form === "function" ? form(from) : form);

const cases: readonly Case[] = [
  [
    "nodes --count",
    nodesForm({ count: true }),
    (from) => {
      const latest = new Map(latestReports(from).map(({ certname, status }) => [certname, status]));
      const statuses = certnamesOf(from).map((certname) => latest.get(certname) ?? null);
      return [...new Set(statuses)].map((status) => ({
        latest_report_status: status,
        count: statuses.filter((one) => one === status).length,
      }));
    },
  ],
  [
    "nodes --count --class chrony --status changed",
    nodesForm({ count: true, class: "chrony", status: "changed" }),
    (from) => {
      const certnames = resourcesOf(from)
        .filter(({ type, title }) => type === "Class" && title === "Chrony")
        .map(({ certname }) => certname);
      const changed = latestReports(from).filter(
        ({ certname, status }) => status === "changed" && certnames.includes(certname),
      );
      return [{ latest_report_status: "changed", count: changed.length }];
    },
  ],
  [
    "classes",
    classesForm({}),
    (from) =>
      rowsOf(
        resourcesOf(from)
          .filter(({ type }) => type === "Class")
          .map(({ title }) => title),
        "class",
      ),
  ],
  [
    "classes 'role::*'",
    classesForm({ name: "role::*" }),
    (from) =>
      rowsOf(
        resourcesOf(from)
          .filter(({ type, title }) => type === "Class" && title.startsWith("Role::"))
          .map(({ title }) => title),
        "class",
      ),
  ],
  [
    "resources",
    resourcesForm({}),
    (from) =>
      rowsOf(
        resourcesOf(from).map(({ type }) => type),
        "type",
      ),
  ],
  [
    "resources service",
    resourcesForm({ resource: "service" }),
    (from) =>
      rowsOf(
        resourcesOf(from)
          .filter(({ type }) => type === "Service")
          .map(({ title }) => title),
        "title",
      ),
  ],
  [
    "resources File[the most common]",
    (from) => resourcesForm({ resource: `File[${commonFile(from)}]` }),
    (from) => parameterGroups(from, "File", commonFile(from)),
  ],
  [
    "resources Class[settings], which has no parameters",
    resourcesForm({ resource: "Class[settings]" }),
    (from) => {
      const certnames = resourcesOf(from)
        .filter(({ type, title }) => type === "Class" && title === "Settings")
        .map(({ certname }) => certname)
        .sort();
      return [{ parameter: null, value: null, count: certnames.length, certnames }];
    },
  ],
  [
    "resources File[the most common] --by-node",
    (from) => resourcesForm({ resource: `File[${commonFile(from)}]`, "by-node": true }),
    (from) =>
      resourcesOf(from)
        .filter(({ type, title }) => type === "File" && title === commonFile(from))
        .map(({ certname, file, line, exported, parameters }) => ({
          certname,
          declared: `${file}:${line}`,
          exported,
          parameters,
        })),
  ],
  [
    "packages",
    packagesForm({}),
    (from) => {
      const keys = new Set(packagesOf(from).map((row) => JSON.stringify([row.package_name, row.provider])));
      return [...keys].map((key) => {
        const [name, provider] = JSON.parse(key) as [string, string];
        const own = packagesOf(from).filter((row) => row.package_name === name && row.provider === provider);
        const versions = new Set(own.map(({ version }) => version));
        // Which one is the oldest is the subject of the tests of the orders.
        const ends = { oldest: expect.toSatisfy((one: string) => versions.has(one)) as unknown };
        const newest = expect.toSatisfy((one: string) => versions.has(one)) as unknown;
        return { package_name: name, provider, versions: versions.size, ...ends, newest, count: own.length };
      });
    },
  ],
  [
    "packages openssl --count",
    packagesForm({ name: "openssl", count: true }),
    (from) => {
      const own = packagesOf(from).filter((row) => row.package_name === "openssl");
      return [...counts(own.map(({ version, provider }) => JSON.stringify([version, provider])))].map(
        ([key, count]) => {
          const [version, provider] = JSON.parse(key) as [string, string];
          return { package_name: "openssl", version, provider, count };
        },
      );
    },
  ],
  [
    // Versions of openssl in this population start with 1.1.1, 3.0, 3.1, 3.2 and 3.5, some after an epoch.
    "packages openssl --older-than 3.1",
    packagesForm({ name: "openssl", "older-than": "3.1" }),
    (from) =>
      packagesOf(from)
        .filter(({ package_name: name, version }) => name === "openssl" && /^(?:1:)?(?:1\.1\.1|3\.0\.)/.test(version))
        .map((row) => ({ ...row })),
  ],
  [
    "events --group-by resource",
    eventsForm({ "group-by": "resource" }),
    (from) => groupsOf(failures(from), "resource", ({ resource }) => resource),
  ],
  [
    "events --group-by node",
    eventsForm({ "group-by": "node" }),
    (from) =>
      groupsOf(failures(from), "certname", ({ certname }) => certname).map(({ certname, count }) => ({
        certname,
        resources: new Set(
          failures(from)
            .filter((event) => event.certname === certname)
            .map(({ resource }) => resource),
        ).size,
        count,
      })),
  ],
  [
    "events --group-by class --status success --since 2026-11-17",
    eventsForm({ "group-by": "class", status: "success", since: "2026-11-17T00:00:00Z" }),
    (from) =>
      groupsOf(
        eventsOf(from.reports).filter(
          ({ status, timestamp }) =>
            status === "success" && Date.parse(timestamp) >= Date.parse("2026-11-17T00:00:00Z"),
        ),
        "class",
        (event) => event.class,
      ),
  ],
  [
    "facts --name os.family --count",
    factsForm({ name: "os.family", count: true }),
    (from) => factCounts(from, "os.family"),
  ],
  ["facts --name role --count", factsForm({ name: "role", count: true }), (from) => factCounts(from, "role")],
  [
    "facts --name fips_enabled --count",
    factsForm({ name: "fips_enabled", count: true }),
    (from) => factCounts(from, "fips_enabled"),
  ],
  ["reports --flapping", reportsForm({ flapping: true, limit: "1000" }), flapping],
];

const driftCases: readonly Case[] = [
  [
    "drift --group-by resource",
    eventsForm({ corrective: true, "group-by": "resource" }),
    (from) => groupsOf(corrective(from), "resource", ({ resource }) => resource),
  ],
];

async function answered(form: ShortForm, source: OpenSource): Promise<Row[]> {
  const { rows } = await answerOf(form, await source.now(), source);
  const found: Row[] = [];
  for await (const batch of rows) found.push(...batch.map((text) => JSON.parse(text) as Row));
  return found;
}

const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => (keysOf(a) < keysOf(b) ? -1 : 1));

/** A text to sort by, without values that are matchers. */
const keysOf = (row: Row): string => JSON.stringify(Object.entries({ ...row, oldest: null, newest: null }));

describe.each([
  ["the sample", SAMPLE],
  ["a generated archive", generated],
])("over %s", (_, path) => {
  const data = join(folder, path === SAMPLE ? "sample" : "generated");
  let server: Running;
  let documents: ArchiveDocuments;
  const sources = new Map<string, OpenSource>();
  const sourceOf = (kind: string): OpenSource => {
    const source = sources.get(kind);
    if (source === undefined) throw new Error(`there is no source ${kind}`);
    return source;
  };

  beforeAll(async () => {
    if (path === generated) {
      await writePopulation(path, { nodes: 30, seed: 22, reportsPerNode: 6, baseTime: "2026-11-20T12:00:00Z" });
    }
    documents = await archiveDocuments(path);
    server = await startServer(["open", path, "--port", "0"]);
    const imported = await census(["import", path, "--data", data, "--now", "2026-11-20T12:00:00Z"]);
    if (imported.code !== 0) throw new Error(imported.stderr);
    const choices: Readonly<Record<string, SourceChoice>> = {
      archive: { kind: "archive", path, clock: undefined, cached: false },
      data: { kind: "data", path: data, clock: fixedClock(NOW) },
      server: { kind: "url", contact: { url: server.url } },
    };
    for (const [kind, choice] of Object.entries(choices)) sources.set(kind, await openSource(choice));
  });
  afterAll(async () => {
    await server.stop();
    for (const source of sources.values()) await source.close();
  });

  describe.each(["archive", "data", "server"])("as %s", (kind) => {
    it.each(cases)("%s", async (_words, form, expected) => {
      const rows = expected(documents);
      expect(inOrder(await answered(formOf(form, documents), sourceOf(kind)))).toStrictEqual(inOrder(rows));
      expect(rows).not.toHaveLength(0);
    });
  });

  it.each(driftCases)("%s", async (_words, form, expected) => {
    const rows = expected(documents);
    expect(inOrder(await answered(formOf(form, documents), sourceOf("archive")))).toStrictEqual(inOrder(rows));
    expect(inOrder(await answered(formOf(form, documents), sourceOf("server")))).toStrictEqual(inOrder(rows));
    expect(rows).not.toHaveLength(0);
    // The data directory was imported without the setting.
    await expect(answered(formOf(form, documents), sourceOf("data"))).rejects.toThrow("store-corrective-change");
  });

  it("drift lists the newest first, with both values", async () => {
    const rows = await answered(eventsForm({ corrective: true }), sourceOf("archive"));
    const expected = corrective(documents);
    expect(rows.map(({ timestamp }) => new Date(String(timestamp)).getTime())).toStrictEqual(
      expected.map(({ timestamp }) => new Date(timestamp).getTime()).sort((a, b) => b - a),
    );
    expect(inOrder(rows.map(({ resource, property, message }) => ({ resource, property, message })))).toStrictEqual(
      inOrder(expected.map(({ resource, property, message }) => ({ resource, property, message }))),
    );
  });

  it("events --group-by message puts messages of the same kind together", async () => {
    const rows = await answered(eventsForm({ "group-by": "message" }), sourceOf("archive"));
    const all = failures(documents);
    const sum = rows.reduce((total, { count }) => total + Number(count), 0);
    expect(sum).toBe(all.length);
    expect(rows.length).toBeLessThanOrEqual(new Set(all.map(({ message }) => message)).size);
    for (const { certname } of all) expect(JSON.stringify(rows)).not.toContain(certname);
  });
});

describe("groups", () => {
  it("come with most nodes first, and no more than the limit", async () => {
    const { code, stdout } = await census(["classes", "--limit", "3", "--archive", SAMPLE]);
    expect(code).toBe(0);
    const rows = JSON.parse(stdout) as Row[];
    expect(rows).toHaveLength(3);
    expect(rows.map(({ count }) => count)).toStrictEqual([36, 36, 36]);
  });

  it("of packages are in the order of their versions", async () => {
    const { stdout } = await census(["packages", "openssl", "--count", "--archive", generated, "--output", "csv"]);
    const versions = stdout
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[1]);
    const debian = versions.filter((version) => version?.includes("deb12") === true);
    expect(debian).toStrictEqual(
      ["3.0.13-1~deb12u1", "3.0.17-1~deb12u2", "3.0.17-1~deb12u3"].filter((one) => debian.includes(one)),
    );
    expect(debian.length).toBeGreaterThan(1);
  });

  it.each([
    [["packages", "--older-than", "1"], "packages: --older-than needs NAME"],
    [["packages", "--count"], "packages: --count needs NAME"],
    [["resources", "[x]"], 'resources: the resource must be Type or Type[title], e.g. Service[ntp], not "[x]"'],
    [["resources", "File", "--by-node"], "resources: --by-node needs a resource, Type[title]"],
    [
      ["reports", "--flapping", "--latest"],
      "reports: --flapping cannot be used with --status or --latest; it compares all runs",
    ],
  ])("%j is refused", async (words, message) => {
    const { code, stderr } = await census([...words, "--archive", SAMPLE]);
    expect({ code, stderr }).toStrictEqual({ code: 2, stderr: `census: ${message}\n` });
  });
});
