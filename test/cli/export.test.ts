import { once } from "node:events";
import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, fieldOf, submitted } from "#test/fixture-store.ts";
import type { Store } from "#storage/store.ts";
import { read } from "#test/storage/archive/build.ts";
import { census, start, workFolder } from "./census.ts";

const work = workFolder();

let store: Store;
let service: Served;
beforeAll(async () => {
  store = await emptyStore();
  await submitted(store, a.facts("web-01"), a.report("web-01"), a.catalog("web-02"));
  service = await serve(store);
});
afterAll(() => service.close());

/** A folder of a test's own. */
async function folder(): Promise<string> {
  return mkdtemp(join(work, "export-"));
}

async function namesIn(path: string): Promise<string[]> {
  return (await read(path)).map(([name]) => name.replace(/-[0-9a-f]{40}/, ""));
}

/** What is in the members but the first, which says when it was made. */
async function contentOf(path: string): Promise<string[]> {
  return (await read(path)).slice(1).map(([, text]) => text);
}

const members = ["export-metadata.json", "catalogs/web-02.json", "reports/web-01.json", "facts/web-01.json"];
const below = (directory: string): string[] => members.map((name) => `${directory}/${name}`);

describe("census export", () => {
  it("writes the data of a server, of an archive and of a data directory", async () => {
    const place = await folder();
    const [first, second, third] = ["a.tgz", "b.zip", "c.tar.gz"].map((name) => join(place, name)) as [
      string,
      string,
      string,
    ];
    const exported = await census(["export", first, "--url", service.url]);
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    expect(exported.stdout).toMatch(/^Exported .*a\.tgz \([\d.]+ MB\) in [\d.]+ s\n$/);
    expect(await namesIn(first)).toEqual(below("svc-bak"));
    const options = ["--archive", first, "--no-cache", "--directory", "puppetdb-bak"];
    expect(await census(["export", second, ...options])).toMatchObject({ code: 0, stderr: "" });
    expect(await namesIn(second)).toEqual(below("puppetdb-bak"));
    const data = join(place, "data");
    expect(await census(["import", second, "--data", data])).toMatchObject({ code: 0 });
    expect(await census(["export", third, "--data", data])).toMatchObject({ code: 0, stderr: "" });
    expect(await contentOf(third)).toEqual(await contentOf(first));
    expect((await readdir(place)).sort()).toEqual(["a.tgz", "b.zip", "c.tar.gz", "data"]);
  });

  it.each([
    ["zip", "puppetdb-bak"],
    ["tar.gz", "puppetdb-bak"],
    ["zip", "svc-bak"],
  ])("writes a server's archive as %s with the top directory %s", async (format, directory) => {
    const place = await folder();
    const path = join(place, "export");
    const words = ["export", path, "--url", service.url, "--format", format, "--directory", directory];
    expect(await census(words)).toMatchObject({ code: 0, stderr: "" });
    expect(await namesIn(path)).toEqual(below(directory));
    expect(await readdir(place)).toEqual(["export"]);
  });

  it("anonymizes with a profile", async () => {
    const [one, other] = [join(await folder(), "a.tgz"), join(await folder(), "b.tgz")];
    expect(await census(["export", one, "--url", service.url])).toMatchObject({ code: 0 });
    for (const source of [
      ["--url", service.url],
      ["--archive", one, "--no-cache"],
    ]) {
      expect(await census(["export", other, ...source, "--anonymize", "full"])).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.stringify(await read(other))).not.toContain("web-0");
    }
  });

  it("anonymizes equally with the same salt, from any source", async () => {
    const place = await folder();
    const [plain = "", ofServer = "", ofArchive = "", salt = ""] = ["a.tgz", "b.zip", "c.tgz", "salt"].map((name) =>
      join(place, name),
    );
    await writeFile(salt, "nobody else knows these bytes");
    expect(await census(["export", plain, "--url", service.url])).toMatchObject({ code: 0 });
    const hidden = ["--anonymize", "moderate", "--salt-file", salt];
    expect(await census(["export", ofServer, "--url", service.url, ...hidden])).toMatchObject({ code: 0, stderr: "" });
    expect(await census(["anonymize", plain, ofArchive, "--profile", "moderate", "--salt-file", salt])).toMatchObject({
      code: 0,
    });
    expect(await contentOf(ofServer)).toEqual(await contentOf(ofArchive));
    expect((await contentOf(ofServer)).join()).not.toContain("web-0");
    expect((await readdir(place)).sort()).toEqual(["a.tgz", "b.zip", "c.tgz", "salt"]);
  });

  it.each<[what: string, words: string[], code: number, says: RegExp]>([
    ["no file", ["export"], 2, /^census: export: missing argument FILE/],
    ["two sources", ["export", "x.tgz", "--data", "a", "--url", "http://b"], 2, /cannot be used together/],
    ["a name of no format", ["export", "x.rar"], 2, /^census: export: "x\.rar" must end in \.tgz, \.tar\.gz or \.zip/],
    ["a salt for nothing", ["export", "x.tgz", "--salt-file", "s"], 2, /--salt-file needs --anonymize/],
    ["a profile there is not", ["export", "x", "--anonymize", "ful"], 2, /^census: export: --anonymize must be one of/],
    ["no such archive", ["export", "x.tgz", "--archive", "/nowhere.tgz"], 1, /^census: \/nowhere\.tgz: no such file/],
    ["a server that is not there", ["export", "x.tgz", "--url", "http://127.0.0.1:9"], 1, /connection refused/],
    [
      "a place that cannot be written",
      ["export", "/proc/x.tgz", "--url", "SERVED"],
      1,
      /^census: \/proc\/x\.tgz: cannot be written/,
    ],
  ])("refuses %s", async (_what, words, code, says) => {
    const run = await census(words.map((word) => (word === "SERVED" ? service.url : word)));
    expect(run).toMatchObject({ code, stdout: "" });
    expect(run.stderr).toMatch(says);
  });

  it("leaves no file behind when it is interrupted", async () => {
    // It begins to answer and does not go on.
    const server = createServer((_request, response) => response.write("\u001f\u008b"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const place = await folder();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = start(["export", join(place, "a.tgz"), "--url", url]);
    const ended = once(child, "close");
    await expect.poll(() => readdir(place)).toHaveLength(1);
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(await readdir(place)).toEqual([]);
    server.closeAllConnections();
    server.close();
  });

  it("reports an export that a server breaks off as incomplete", async () => {
    const server = createServer((_request, response) => {
      response.write("\u001f\u008b", () => response.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const place = await folder();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const run = await census(["export", join(place, "a.tgz"), "--url", url]);
    expect(run).toMatchObject({ code: 1, stderr: `census: ${url}: connection reset\n` });
    expect(await readdir(place)).toEqual([]);
    server.close();
  });
});

describe("census import", () => {
  it("sends an archive of any format to a server", async () => {
    const place = await folder();
    const target = await emptyStore();
    const served = await serve(target);
    for (const [name, directory] of [
      ["a.tgz", "puppetdb-bak"],
      ["b.tgz", "svc-bak"],
      ["c.zip", "puppetdb-bak"],
    ] as const) {
      const path = join(place, name);
      await census(["export", path, "--url", service.url, "--directory", directory]);
      const run = await census(["import", path, "--url", served.url]);
      expect(run).toMatchObject({ code: 0, stderr: "" });
      expect(run.stdout).toMatch(
        new RegExp(`^Sent .* to ${served.url} in [\\d.]+ s; its commands are queued there\\n$`),
      );
    }
    await submitted(target, a.expiration("barrier", true, "2026-11-20T00:00:00Z"));
    expect(new Set(await fieldOf(target, "facts", "certname"))).toEqual(new Set(["web-01"]));
    expect(await fieldOf(target, "catalogs", "certname")).toEqual(["web-02"]);
    await served.close();
  });

  it("anonymizes an archive that it sends", async () => {
    const place = await folder();
    const [path, data] = [join(place, "a.tgz"), join(place, "data")];
    await census(["export", path, "--url", service.url]);
    expect(await census(["import", path, "--data", data, "--anonymize", "full"])).toMatchObject({
      code: 0,
      stderr: "",
    });
    const { stdout } = await census(["query", "nodes[certname]{}", "--data", data, "--output", "json"]);
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(stdout).not.toContain("web-0");
  });

  it("waits until the server has stored what was sent", async () => {
    const place = await folder();
    const target = await emptyStore();
    const served = await serve(target);
    const path = join(place, "a.tgz");
    await census(["export", path, "--url", service.url]);
    const run = await census(["import", path, "--url", served.url, "--wait", "1m"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toMatch(/\nStored after [\d.]+ s\n$/);
    expect(await fieldOf(target, "facts", "certname")).toContain("web-01");
    await served.close();
  });

  it("reports how many commands are not stored after the time to wait", async () => {
    const place = await folder();
    const path = join(place, "a.tgz");
    await census(["export", path, "--url", service.url]);
    let status: object = { state: "running", status: { queue_depth: 7 } };
    const peer = createServer((request, response) => {
      request.resume().on("end", () => response.end(JSON.stringify(request.method === "GET" ? status : { ok: true })));
    });
    await once(peer.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
    const words = ["import", path, "--url", url, "--wait"];
    expect(await census([...words, "0.3s"])).toMatchObject({
      code: 1,
      stderr: "census: 7 commands are still queued after 0.3s; queries return less until they are stored\n",
    });
    status = { state: "starting" };
    expect(await census([...words, "0.3s"])).toMatchObject({
      code: 1,
      stderr: "census: the server does not report its queue: starting\n",
    });
    expect(await census([...words, "soon"])).toMatchObject({ code: 2 });
    expect(await census(["import", path, "--wait", "1m", "--data", join(place, "data")])).toMatchObject({
      code: 2,
      stderr: "census: import: --wait applies to a server: --url names it\n",
    });
    peer.close();
  });

  it("rejects options that do not apply to a server", async () => {
    const run = await census(["import", "a.tgz", "--url", service.url, "--keep-going"]);
    expect(run).toMatchObject({
      code: 2,
      stderr: "census: import: --keep-going applies to a data directory, not to a server\n",
    });
  });
});
