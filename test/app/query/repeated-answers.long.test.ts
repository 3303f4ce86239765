import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Random } from "#fixtures/random.ts";
import { LARGEST_PLAIN } from "#app/query/answer-recording.ts";
import { RepeatedAnswers } from "#app/query/repeated-answers.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, population } from "#test/fixture-store.ts";
import { queryPath, serve, type Served } from "../fixture-service.ts";

const bytes = (count: number): Buffer => Buffer.alloc(count, "a");
const headers = { "content-type": "application/json" };

/** Records a body in pieces, and waits until it is kept or dropped. */
async function keep(answers: RepeatedAnswers, key: string, version: string, body: Buffer): Promise<void> {
  answers.isWorthRecording(key, version);
  const recording = answers.record(key, version, headers);
  for (let from = 0; from < body.length; from += 50_000) await recording.add(body.subarray(from, from + 50_000));
  recording.end(true);
  // A large one is compressed some time later.
  for (let turn = 0; body.length > LARGEST_PLAIN && turn < 40 && answers.find(key, version) === undefined; turn++) {
    await setTimeout(50);
  }
}

describe("kept answers", () => {
  it("are found in the version that they were made of, and in no other", async () => {
    const answers = new RepeatedAnswers(1_000_000);
    await keep(answers, "one", "1", bytes(10));
    expect(answers.find("one", "1")?.plain).toEqual(bytes(10));
    expect(answers.find("two", "1")).toBeUndefined();
    expect(answers.find("one", "2")).toBeUndefined();
    expect(answers.bytes).toBe(0);
  });

  it("are those of queries that were sent before in the same version", () => {
    const answers = new RepeatedAnswers(1_000_000);
    const sent = ["1", "1", "2", "2", "2", "1"].map((version) => answers.isWorthRecording("one", version));
    expect(sent).toEqual([false, true, false, true, true, false]);
  });

  it("are not recorded a second time, nor are answers that were too large", async () => {
    const answers = new RepeatedAnswers(400_000);
    await keep(answers, "small", "1", bytes(10));
    await keep(answers, "large", "1", randomBytes(120_000));
    const worth = (version: string): boolean[] =>
      ["small", "large"].map((key) => answers.isWorthRecording(key, version));
    expect(worth("1")).toEqual([false, false]);
    // In another version the first one is, once it is sent again; the second one never.
    expect(worth("2")).toEqual([false, false]);
    expect(worth("2")).toEqual([true, false]);
  });

  it("take no more than the limit, compressed ones included; the least recently used go first", async () => {
    const answers = new RepeatedAnswers(100_000);
    await keep(answers, "large", "1", bytes(25_001));
    expect(answers.find("large", "1")).toBeUndefined();
    for (let number = 0; number < 20; number++) {
      await keep(answers, String(number), "1", bytes(12_000));
      const first = answers.find("0", "1");
      const zipped = first === undefined ? undefined : await answers.zipped(first);
      expect(zipped === undefined ? undefined : gunzipSync(zipped)).toEqual(bytes(12_000));
      expect(answers.bytes).toBeLessThanOrEqual(100_000);
    }
    const left = Array.from({ length: 20 }, (_, number) => String(number)).filter((key) => answers.find(key, "1"));
    expect(left).toEqual(["0", "14", "15", "16", "17", "18", "19"]);
  });

  it("are compressed if they are large, and dropped if they remain large", async () => {
    const answers = new RepeatedAnswers(400_000);
    const [alike, random] = [bytes(3_000_000), randomBytes(120_000)];
    await keep(answers, "alike", "1", alike);
    await keep(answers, "random", "1", random);
    const kept = answers.find("alike", "1");
    expect(answers.find("random", "1")).toBeUndefined();
    expect(answers.bytes).toBeLessThan(10_000);
    const body = kept && answers.body(kept);
    expect(body instanceof Readable && (await buffer(body))).toEqual(alike);
    expect(kept && gunzipSync(await answers.zipped(kept))).toEqual(alike);
  });

  it("are not those that were sent in part, or of which the query was sent in a later version meanwhile", async () => {
    const answers = new RepeatedAnswers(400_000);
    answers.isWorthRecording("one", "1");
    const recordings = [100, 100_000].map((size) => ({ size, recording: answers.record("one", "1", headers) }));
    for (const { size, recording } of recordings) {
      await recording.add(bytes(size));
      recording.end(false);
    }
    await setTimeout(100);
    expect(answers.find("one", "1")).toBeUndefined();
    const recording = answers.record("one", "1", headers);
    await recording.add(bytes(100_000));
    recording.end(true);
    answers.isWorthRecording("one", "2");
    await setTimeout(100);
    expect(answers.find("one", "1")).toBeUndefined();
  });
});

describe("a query that is sent again", () => {
  let served: Served;
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore();
    for (const submission of population) await store.submit(submission);
    served = await serve(store);
  });
  afterAll(() => served.close());

  /** How many queries the engine has run. */
  async function reads(): Promise<number> {
    const path = "/metrics/v2/read/puppetlabs.puppetdb.database:name=PDBReadPool.pool.Usage";
    const { text } = await served.get(path);
    return (JSON.parse(text) as { value: { Count: number } }).value.Count;
  }

  it("is answered without the engine from the third time on, until something is stored that it reads", async () => {
    const path = queryPath("/nodes", { query: '["=", "facts_environment", "production"]' });
    const [first, second] = [await served.get(path), await served.get(path)];
    const before = await reads();
    const third = await served.get(path);
    expect(await reads()).toBe(before);
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    expect(third.headers).toMatchObject({ "content-type": first.headers["content-type"], vary: first.headers["vary"] });
    const fresh = await served.get(path, { "cache-control": "no-cache" });
    expect(await reads()).toBeGreaterThan(before);
    expect(fresh.text).toBe(first.text);
    await store.submit(a.facts("another", { environment: "production" }));
    expect((await served.get(path)).text).toContain('"another"');
  });

  it("has the answer that a new one has, also after something was stored", { timeout: 60_000 }, async () => {
    const random = new Random("repeated answers", 1);
    const queries = [
      queryPath("/nodes"),
      queryPath("/nodes", { include_total: "true", limit: "2", order_by: '[{"field":"certname"}]' }),
      queryPath("/facts", { query: '["=", "name", "kernel"]', pretty: "true", order_by: '[{"field":"certname"}]' }),
      queryPath("", { query: "resources[count()] {}" }),
      queryPath("", { query: "reports[certname, status] { latest_report? = true order by certname }" }),
      queryPath("/event-counts", { summarize_by: "certname", order_by: '[{"field":"certname"}]' }),
      queryPath("", { query: "inventory[certname, facts.kernel] { order by certname }" }),
      queryPath("", { query: 'nodes[certname] { node_state = "inactive" order by certname }' }),
    ];
    const nodes = ["one", "two", "three"];
    const commands = [
      () => a.facts(random.pick(nodes), { values: { kernel: random.pick(["Linux", "Minix"]) } }),
      () => a.report(random.pick(nodes), { status: random.pick(["failed", "changed"]) }),
      () => a.catalog(random.pick(nodes)),
      () => a.deactivation(random.pick(nodes), "2026-11-20T23:00:00Z"),
    ];
    for (let round = 0; round < 80; round++) {
      if (random.chance(0.3)) await store.submit(random.pick(commands)());
      const path = random.pick(queries);
      const zip = random.chance(0.3) ? { "accept-encoding": "gzip" } : {};
      const given = await served.get(path, zip);
      const fresh = await served.get(path, { "cache-control": "no-cache" });
      expect({ path, text: given.text, total: given.headers["x-records"] }).toEqual({
        path,
        text: fresh.text,
        total: fresh.headers["x-records"],
      });
      if (random.chance(0.05)) await setTimeout(10);
    }
  });

  it("is repeated as it was when its answer is large, compressed or not", async () => {
    const notes = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`note_${index}`, `a ${index} b`]));
    await store.submit(a.facts("talkative", { values: notes }));
    const path = queryPath("/facts", { query: '["~", "name", "^note_"]' });
    const [first] = [await served.get(path), await served.get(path)];
    expect(first.text.length).toBeGreaterThan(200_000);
    for (const accepted of [{}, { "accept-encoding": "gzip" }]) {
      // It is compressed some time after it was sent.
      await vi.waitFor(
        async () => {
          const before = await reads();
          expect((await served.get(path, accepted)).text).toBe(first.text);
          expect(await reads()).toBe(before);
        },
        { timeout: 20_000 },
      );
    }
  });

  it("is not kept in part when its client leaves", async () => {
    const path = queryPath("/facts");
    const whole = (await served.get(path)).text;
    for (let round = 0; round < 5; round++) {
      const controller = new AbortController();
      const response = fetch(`${served.url}${path}`, { signal: controller.signal }).catch(() => undefined);
      await setTimeout(round);
      controller.abort();
      await response;
    }
    expect((await served.get(path)).text).toBe(whole);
  });
});
