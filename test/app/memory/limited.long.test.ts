import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { archiveMembers } from "#fixtures/archive.ts";
import { type PopulationOptions, populationCommands } from "#fixtures/population.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";
import { type WrittenMember } from "#storage/archive/written-member.ts";
import { controlGroupProblem } from "./control-group.ts";
import { commandPath, type LimitedServer, type Received, startLimited } from "./limited-server.ts";

/*
 * The program in control groups that allow it little memory: it may refuse work with 503 or 413, but it lives, and what it
 * has acknowledged is stored. The smallest group that is supported; TEST_MEMORY_SIZES names other sizes, as continuous integration
 * does, and TEST_MEMORY_NODES how many nodes an archive has.
 */

const NOW = "2026-11-20T12:00:00Z";
const sizes = (process.env["TEST_MEMORY_SIZES"] ?? "512").split(",").map(Number);
const nodes = Number(process.env["TEST_MEMORY_NODES"] ?? "40");

/** Nodes that send commands. */
const SENDING = 15;
/** Clients that do not read. */
const IDLERS = 100;
/** Clients that request an export and do not read it. */
const EXPORT_IDLERS = 4;
/** Bytes of a catalog that takes some hundred megabytes to be stored. */
const LARGE = 40_000_000;

const TIMEOUT = 600_000;
const isSkipped = isLeftOut("a limit on memory", await controlGroupProblem(), RESTRICTED_MACHINE);

function population(changes: Partial<PopulationOptions>): PopulationOptions {
  return { nodes, seed: 1, reportsPerNode: 2, baseTime: NOW, ...changes };
}

async function* eventually(members: Iterable<WrittenMember>): AsyncGenerator<WrittenMember> {
  yield* members;
}

function titleOf(index: number): string {
  return `/srv/app/${index}/config.yaml`;
}

/** A catalog of one node, its resources in a row. */
function largeCatalog(certname: string): { payload: string; resources: number } {
  const resources: object[] = [];
  const edges: object[] = [];
  for (let bytes = 0; bytes < LARGE; bytes += 830) {
    const index = resources.length;
    const parameters = { ensure: "file", owner: "root", mode: "0644", content: `line ${index} `.repeat(40) };
    const place = { file: "/etc/puppetlabs/code/site.pp", line: index, exported: false, tags: ["file", "class"] };
    resources.push({ type: "File", title: titleOf(index), ...place, parameters });
    if (index === 0) continue;
    const [source, target] = [index - 1, index].map((end) => ({ type: "File", title: titleOf(end) }));
    edges.push({ source, target, relationship: "contains" });
  }
  const ids = { transaction_uuid: null, catalog_uuid: null, code_id: null, job_id: null };
  const about = { certname, version: "1", environment: "production", producer: "compiler", producer_timestamp: NOW };
  return { payload: JSON.stringify({ ...about, ...ids, resources, edges }), resources: resources.length };
}

let archive: string;
const folder = mkdtempSync(join(tmpdir(), "census-limited-"));
beforeAll(async () => {
  archive = join(folder, "export.tgz");
  const members = archiveMembers((only) => populationCommands({ ...population({}), only }), { timestamp: NOW });
  await writeArchiveFile(archive, eventually(members), { format: "tar.gz", mtime: new Date(NOW) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(isSkipped).each(sizes)("in a control group of %i MB", (megabytes) => {
  let server: LimitedServer;
  beforeAll(async () => {
    server = await startLimited(megabytes, NOW);
    await sendArchive(server);
  }, TIMEOUT);
  afterAll(() => server.stop());

  it("stores commands of many simultaneous clients", { timeout: TIMEOUT }, async () => {
    const archived = new Set(Array.from(populationCommands(population({})), ({ certname }) => certname));
    const commands = [...populationCommands(population({ nodes: SENDING, seed: 2 }))].filter(
      ({ certname }) => !archived.has(certname),
    );
    const before = await server.rows("reports");
    const answers = await Promise.all(
      commands.map(({ command, version, certname, payload }) =>
        server.send("POST", commandPath(command, version, certname), JSON.stringify(payload)),
      ),
    );
    for (const answer of answers) await server.checkStatus(answer, [200]);
    await server.settled();
    // Reports of plans are not among the rows unless a query says so.
    const reports = commands.filter(
      ({ command, payload }) => command === "store report" && payload["type"] === "agent",
    );
    expect(await server.rows("reports")).toHaveLength(before.length + reports.length);
  });

  it("stores an archive and exports it", { timeout: TIMEOUT }, async () => {
    expect((await server.rows("nodes")).length).toBeGreaterThan(nodes / 2);
    const exported = await server.send("GET", "/pdb/admin/v1/archive");
    await server.checkStatus(exported, [200]);
    expect(exported.body.length).toBeGreaterThan(10_000 * nodes);
    await server.checkAlive();
  });

  it("exports to several clients, some of which do not read", { timeout: TIMEOUT }, async () => {
    const idlers = server.idlers(EXPORT_IDLERS, "/pdb/admin/v1/archive");
    const exports = await Promise.all([0, 1, 2].map(() => exportedByRetrying(server)));
    expect(statusesOf(exports)).toEqual([200]);
    await server.checkAlive();
    await server.checkStatus(await server.send("GET", "/pdb/query/v4/nodes?limit=5"), [200]);
    for (const idler of idlers) idler.destroy();
  });

  it("answers others while 100 clients do not read long answers", { timeout: TIMEOUT }, async () => {
    const idlers = server.idlers(IDLERS, "/pdb/query/v4/resources");
    await delay(2000);
    const others: Received[] = [];
    for (let turn = 0; turn < 5; turn++) others.push(await server.send("GET", "/pdb/query/v4/nodes?limit=5"));
    await server.checkAlive();
    for (const idler of idlers) idler.destroy();
    for (const other of others) await server.checkStatus(other, [200, 503]);
    expect(statusesOf(others)).toContain(200);
  });

  it("stores a catalog of 40 MB", { timeout: TIMEOUT }, async () => {
    const { payload, resources } = largeCatalog("large");
    const response = await server.send("POST", commandPath("replace catalog", 9, "large"), payload);
    await server.checkStatus(response, [200]);
    await server.settled();
    const count = ["extract", [["function", "count"]], ["=", "certname", "large"]];
    expect(await server.rows("resources", count)).toEqual([{ count: resources }]);
  });

  it("answers long queries of many clients, or returns 503 with Retry-After", { timeout: TIMEOUT }, async () => {
    const entities = ["facts", "resources", "reports", "factsets", "inventory", "events", "edges", "nodes"];
    const answers = await Promise.all(
      [...entities, ...entities].map((entity) => server.send("GET", `/pdb/query/v4/${entity}`)),
    );
    await server.checkAlive();
    // An answer that has begun can only be cut; one that needs more than the engine may ever use is refused as such.
    for (const answer of answers) await server.checkStatus(answer, [0, 200, 400, 503]);
    expect(statusesOf(answers)).toContain(200);
  });
});

/** Has the server import the archive. */
async function sendArchive(server: LimitedServer): Promise<void> {
  const edge = "census-form";
  const head = `--${edge}\r\nContent-Disposition: form-data; name="archive"; filename="a.tgz"\r\n\r\n`;
  const form = Buffer.concat([Buffer.from(head), readFileSync(archive), Buffer.from(`\r\n--${edge}--\r\n`)]);
  const accepted = await server.send("POST", "/pdb/admin/v1/archive", form, `multipart/form-data; boundary=${edge}`);
  await server.checkStatus(accepted, [200]);
  await server.settled();
}

/** An export, requested again as long as there is no place for it. */
async function exportedByRetrying(server: LimitedServer): Promise<Received> {
  for (let left = 10; ; left--) {
    const exported = await server.send("GET", "/pdb/admin/v1/archive");
    if (exported.status !== 503 || left === 0) return exported;
  }
}

/** Each once. */
function statusesOf(answers: readonly Received[]): number[] {
  return [...new Set(answers.map(({ status }) => status))].sort((a, b) => a - b);
}
