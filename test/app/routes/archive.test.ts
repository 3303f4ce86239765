import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Store } from "#storage/store.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, emptyStore, fieldOf, populatedStore, submitted } from "#test/fixture-store.ts";
import { type Entry, HASH, METADATA, read, tar, tgz, zip } from "#test/storage/archive/build.ts";

const PATH = "/pdb/admin/v1/archive";

const metadata: Entry = ["puppetdb-bak/export-metadata.json", METADATA];

function factsOf(certname: string): Entry {
  return [`puppetdb-bak/facts/${certname}.json`, a.facts(certname).payload];
}

const whole = async (): Promise<Buffer> => tgz([metadata, factsOf("unwanted"), factsOf("unwanted-too")]);

async function namesIn(bytes: Uint8Array): Promise<string[]> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "export");
  await writeFile(path, bytes);
  return (await read(path)).map(([name]) => name);
}

let uploads: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  uploads = await temporaryFolder();
  vi.stubEnv("TMPDIR", uploads.path);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await uploads[Symbol.asyncDispose]();
});

/** What uploads have left where they are kept. */
async function leftovers(): Promise<string[]> {
  return readdir(uploads.path);
}

describe("GET", () => {
  let service: Served;
  beforeAll(async () => {
    service = await serve(await populatedStore());
  });
  afterAll(() => service.close());

  it("returns a gzipped tar as an attachment (reference/archive.md §3)", async () => {
    const answer = await fetch(service.url + PATH);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream; charset=utf-8",
      "content-disposition": "attachment; filename=puppetdb-export-2026-11-21T00:00:00.000Z.tgz",
      vary: "Accept-Encoding, User-Agent",
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(gunzipSync(bytes).length).toBeGreaterThan(bytes.length);
    const names = await namesIn(bytes);
    expect(names).toHaveLength(16);
    expect(names[0]).toBe("svc-bak/export-metadata.json");
  });

  it("uses the top directory of PuppetDB on request", async () => {
    const answer = await fetch(`${service.url}${PATH}?directory=puppetdb-bak`);
    const names = await namesIn(new Uint8Array(await answer.arrayBuffer()));
    expect(names.filter((name) => !name.startsWith("puppetdb-bak/"))).toEqual([]);
  });

  it.each([
    ["directory=elsewhere", 'directory must be one of svc-bak, puppetdb-bak, not "elsewhere"'],
    [
      "as_of=2026-11-20T12:00:00Z",
      "as_of is not possible for an archive: not all values of a past state are recorded, and an import takes an archive for complete; history=true exports the recorded changes too",
    ],
    ["anonymization_profile=ful", 'anonymization_profile must be one of full, moderate, low, none, not "ful"'],
  ])("refuses ?%s", async (search, text) => {
    expect(await service.get(`${PATH}?${search}`)).toMatchObject({ status: 400, text });
  });

  it("anonymizes with the given profile", async () => {
    const answer = await fetch(`${service.url}${PATH}?anonymization_profile=full`);
    const text = gunzipSync(new Uint8Array(await answer.arrayBuffer())).toString();
    expect(text).toContain("replace_catalog");
    expect(text).not.toContain("alpha");
  });

  it("has the same headers for HEAD, and rejects other methods", async () => {
    expect(await service.send("HEAD", PATH)).toMatchObject({
      status: 200,
      text: "",
      headers: { "content-type": "application/octet-stream; charset=utf-8" },
    });
    expect(await service.send("DELETE", PATH)).toMatchObject({ status: 404, text: "Not Found" });
  });
});

describe("a client that leaves an export", () => {
  it("cancels the export", async () => {
    const store = await emptyStore();
    const values = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, `${Math.sin(n)}`.repeat(60)]));
    for (let n = 0; n < 40; n++) await store.submit(a.facts(`node-${n}`, { values }));
    const service = await serve(store);
    const outgoing = request(service.url + PATH).end();
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    await once(response, "readable");
    outgoing.destroy();
    // Closing waits for running requests.
    await service.close();
    expect(service.faults).toEqual([]);
  });
});

describe("POST", () => {
  let store: Store;
  let service: Served;
  beforeAll(async () => {
    store = await emptyStore();
    service = await serve(store, { commands: { bodyMaxSize: 200_000 } });
  });
  afterAll(() => service.close());

  async function post(bytes: Uint8Array, part = "archive"): Promise<{ status: number; text: string }> {
    const form = new FormData();
    form.append("note", "beside it");
    form.append(part, new Blob([new Uint8Array(bytes)]), "export.tgz");
    const answer = await fetch(service.url + PATH, { method: "POST", body: form });
    return { status: answer.status, text: await answer.text() };
  }

  /** Waits until everything that was queued is stored. */
  async function settled(): Promise<void> {
    await store.submit(a.expiration("barrier", true, "2026-11-20T00:00:00Z"));
  }

  const containers: readonly (readonly [name: string, pack: (entries: [Entry, ...Entry[]]) => Promise<Buffer>])[] = [
    ["tar.gz", tgz],
    ["tar", tar],
    ["zip", (entries) => zip(entries as unknown as [string, string][])],
  ];
  it.each(containers)("stores a %s", async (name, pack) => {
    const certname = `in-${name.replace(".", "-")}`;
    expect(await post(await pack([metadata, factsOf(certname)]))).toEqual({ status: 200, text: '{\n  "ok" : true\n}' });
    await settled();
    expect(await fieldOf(store, "facts", "certname", ["=", "certname", certname])).toContain(certname);
  });

  it("stores members before the metadata, and old versions", async () => {
    const old = METADATA.replace('"replace_facts":5', '"replace_facts":2');
    const facts = JSON.stringify({ name: "ancient", environment: "production", values: { kernel: "Linux" } });
    const entries: Entry[] = [
      ["puppetdb-bak/facts/ancient.json", facts],
      ["puppetdb-bak/export-metadata.json", old],
    ];
    expect(await post(await tgz(entries))).toMatchObject({ status: 200 });
    await settled();
    expect(await fieldOf(store, "facts", "certname", ["=", "certname", "ancient"])).toEqual(["ancient"]);
  });

  it("accepts any kind of multipart", async () => {
    const body = [
      "--frontier",
      'Content-Disposition: form-data; name="archive"; filename="export.tar"',
      "",
      (await tar([metadata, factsOf("mixed")])).toString("latin1"),
      "--frontier--",
      "",
    ].join("\r\n");
    const answer = await service.send("POST", PATH, body, { "content-type": "multipart/mixed; boundary=frontier" });
    expect(answer).toMatchObject({ status: 200 });
    await settled();
    expect(await fieldOf(store, "facts", "certname", ["=", "certname", "mixed"])).toEqual(["mixed"]);
  });

  it.each([
    ["before the first part", `${"x".repeat(200_000)}\r\n`, ""],
    ["behind the last part", "", "x".repeat(200_000)],
  ])("accepts an archive with 200 kB %s", async (where, preamble, epilogue) => {
    const certname = where.replaceAll(" ", "-");
    const body = [
      `${preamble}--frontier`,
      'Content-Disposition: form-data; name="archive"; filename="export.tar"',
      "",
      (await tar([metadata, factsOf(certname)])).toString("latin1"),
      `--frontier--\r\n${epilogue}`,
    ].join("\r\n");
    const answer = await service.send("POST", PATH, body, { "content-type": "multipart/form-data; boundary=frontier" });
    expect(answer).toMatchObject({ status: 200 });
    await settled();
    expect(await fieldOf(store, "facts", "certname", ["=", "certname", certname])).toEqual([certname]);
    expect(await leftovers()).toEqual([]);
  });

  const damaged: readonly (readonly [what: string, bytes: () => Promise<Uint8Array>, text: RegExp])[] = [
    ["text", async () => Promise.resolve(Buffer.from("hello")), /^the archive: not an archive .*but a text file$/],
    [
      "an archive without metadata",
      () => tgz([factsOf("unwanted")]),
      /^the archive: Unable to find export metadata file 'puppetdb-bak\/export-metadata.json' in archive$/,
    ],
    ["one that is cut off", async () => (await whole()).subarray(0, -20), /^the archive: cut off/],
    [
      "one that leads out of its folder",
      () => tgz([metadata, ["puppetdb-bak/../../etc/passwd", "x"]]),
      /^the archive: member .* has a path that leaves the archive/,
    ],
  ];
  it.each(damaged)("refuses %s, and stores nothing of it", async (_what, bytes, text) => {
    expect(await post(await bytes())).toEqual({ status: 400, text: expect.stringMatching(text) });
    await settled();
    expect(await fieldOf(store, "nodes", "certname", ["~", "certname", "unwanted"])).toEqual([]);
  });

  it("refuses an archive that is too large", async () => {
    const noise = Array.from({ length: 60_000 }, (_, n) => Math.sin(n).toString(36)).join("");
    const entries: Entry[] = [metadata, [`puppetdb-bak/catalogs/x-${HASH}.json`, noise]];
    expect(await post(await tgz(entries))).toEqual({
      status: 413,
      text: "The archive is larger than the 200000 bytes of request-body-max-size",
    });
  });

  const form = "multipart/form-data; boundary=x";
  const noForm: readonly (readonly [what: string, type: string, body: string, text: RegExp])[] = [
    [
      "JSON",
      "application/json",
      "{}",
      /^an archive comes as part archive of a multipart form, not as "application\/json"/,
    ],
    ["a form without boundary", "multipart/form-data", "{}", /^the form cannot be read: /],
    [
      "a form without an archive",
      form,
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
      /^the form has no part named archive/,
    ],
    [
      "a form that ends too early",
      form,
      '--x\r\nContent-Disposition: form-data; name="archive"\r\n\r\nb',
      /^the form is damaged or broken off/,
    ],
  ];
  it.each(noForm)("refuses %s", async (_what, type, body, text) => {
    const answer = await service.send("POST", PATH, body, { "content-type": type });
    expect(answer).toMatchObject({ status: 400, text: expect.stringMatching(text) as unknown });
  });

  it("refuses a part of another name", async () => {
    expect(await post(await tgz([metadata]), "file")).toMatchObject({
      status: 400,
      text: expect.stringContaining("archive"),
    });
  });

  it("stores nothing of an archive whose client leaves", async () => {
    const outgoing: ClientRequest = request(service.url + PATH, {
      method: "POST",
      headers: { "content-type": form, "content-length": "1000000" },
    });
    outgoing.on("error", () => undefined);
    outgoing.write('--x\r\nContent-Disposition: form-data; name="archive"\r\n\r\nhalf of');
    await once(outgoing, "socket");
    await new Promise<void>((resolve) => {
      outgoing.write(" it", () => resolve());
    });
    outgoing.destroy();
    await settled();
    await expect.poll(leftovers).toEqual([]);
  });

  it("leaves no temporary file", async () => {
    expect(await leftovers()).toEqual([]);
    expect(service.faults).toEqual([]);
  });
});

it("the export of one service can be imported into another", async () => {
  const first = await populatedStore();
  const second = await emptyStore();
  const [from, to] = [await serve(first), await serve(second)];
  const form = new FormData();
  form.append("archive", await (await fetch(from.url + PATH)).blob());
  expect((await fetch(to.url + PATH, { method: "POST", body: form })).status).toBe(200);
  await submitted(second, a.expiration("barrier", true, "2026-11-20T00:00:00Z"));
  for (const entity of ["facts", "resources", "events"]) {
    const names = await fieldOf(first, entity, "certname");
    expect(await fieldOf(second, entity, "certname")).toEqual(names);
  }
  await from.close();
  await to.close();
});
