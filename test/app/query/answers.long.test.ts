import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Random } from "#fixtures/random.ts";
import { LARGEST_PLAIN } from "#app/query/answer-recording.ts";
import { type Answer, Answers, type AnswerState } from "#app/query/answers.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, population } from "#test/fixture-store.ts";
import { queryPath, serve, type Served } from "../fixture-service.ts";

const bytes = (count: number): Buffer => Buffer.alloc(count, "a");
const headers = { "content-type": "application/json" };
const never = new AbortController().signal;
const of = (key: string, version = "1"): AnswerState => ({ key, version });

/** Records a body in pieces, and waits until it is cached or dropped. */
async function record(answers: Answers, state: AnswerState, body: Buffer): Promise<void> {
  answers.recording(state);
  const recording = answers.recording(state)?.(headers);
  for (let from = 0; from < body.length; from += 50_000) await recording?.add(body.subarray(from, from + 50_000));
  recording?.end(true);
  // A large one is compressed some time later.
  for (let turn = 0; body.length > LARGEST_PLAIN && turn < 40 && answers.find(state) === undefined; turn++) {
    await setTimeout(50);
  }
}

describe("recorded answers", () => {
  it("are found in the version that they were made of, and in no other", async () => {
    const answers = new Answers(1_000_000);
    await record(answers, of("one"), bytes(10));
    expect(answers.find(of("one"))?.plain).toEqual(bytes(10));
    expect(answers.find(of("two"))).toBeUndefined();
    expect(answers.find(of("one", "2"))).toBeUndefined();
    expect(answers.find(of("one", "2"), { times: 10, revision: 2 })).toBeUndefined();
  });

  it("are those of queries that were sent before in the same version", () => {
    const answers = new Answers(1_000_000);
    const sent = ["1", "1", "2", "2", "2", "1"].map((version) => answers.recording(of("one", version)) !== undefined);
    expect(sent).toEqual([false, true, false, true, true, false]);
  });

  it("are not recorded a second time, nor are answers that were too large", async () => {
    const answers = new Answers(800_000);
    await record(answers, of("small"), bytes(10));
    await record(answers, of("large"), randomBytes(120_000));
    const worth = (version: string): boolean[] =>
      ["small", "large"].map((key) => answers.recording(of(key, version)) !== undefined);
    expect(worth("1")).toEqual([false, false]);
    // In another version the first one is, once it is sent again; the second one never.
    expect(worth("2")).toEqual([false, false]);
    expect(worth("2")).toEqual([true, false]);
  });

  it("take no more than the limit, compressed ones included; the least recently used go first", async () => {
    const answers = new Answers(100_000);
    await record(answers, of("large"), bytes(12_501));
    expect(answers.find(of("large"))).toBeUndefined();
    for (let number = 0; number < 20; number++) {
      await record(answers, of(String(number)), bytes(12_000));
      const first = answers.find(of("0"));
      expect(first && gunzipSync(await answers.zipped(first))).toEqual(bytes(12_000));
      expect(answers.bytes).toBeLessThanOrEqual(100_000);
    }
    const left = Array.from({ length: 20 }, (_, number) => String(number)).filter((key) => answers.find(of(key)));
    expect(left).toEqual(["0", "14", "15", "16", "17", "18", "19"]);
  });

  it("are compressed if they are large, and dropped if they remain large", async () => {
    const answers = new Answers(800_000);
    const alike = bytes(3_000_000);
    await record(answers, of("alike"), alike);
    await record(answers, of("random"), randomBytes(120_000));
    const cached = answers.find(of("alike"));
    expect(answers.find(of("random"))).toBeUndefined();
    expect(answers.bytes).toBeLessThan(10_000);
    const body = cached && answers.body(cached);
    expect(body instanceof Readable && (await buffer(body))).toEqual(alike);
    expect(cached && gunzipSync(await answers.zipped(cached))).toEqual(alike);
  });

  it("are not those that were sent in part, or of which the query was sent in a later version meanwhile", async () => {
    const answers = new Answers(800_000);
    answers.recording(of("one"));
    for (const size of [100, 100_000]) {
      const recording = answers.recording(of("one"))?.(headers);
      await recording?.add(bytes(size));
      recording?.end(false);
    }
    await setTimeout(100);
    expect(answers.find(of("one"))).toBeUndefined();
    const recording = answers.recording(of("one"))?.(headers);
    await recording?.add(bytes(100_000));
    recording?.end(true);
    answers.recording(of("one", "2"));
    await setTimeout(100);
    expect(answers.find(of("one"))).toBeUndefined();
  });
});

/** Makes answers of a text, and counts. */
function maker(text = "answer") {
  const made = { count: 0, make: async () => Promise.resolve(Buffer.from(`${text} ${++made.count}`)) };
  return made;
}

describe("answers that are made", () => {
  it("are made once for a key and a version", async () => {
    const answers = new Answers(10_000);
    const { make } = maker();
    const texts = [];
    for (const [key, version] of ["a1", "a1", "b1", "a2", "a2", "a1"].map(([...of]) => of)) {
      texts.push(await answers.text(await answers.get(of(key ?? "", version), undefined, make, never)));
    }
    expect(texts).toEqual(["answer 1", "answer 1", "answer 2", "answer 3", "answer 3", "answer 4"]);
  });

  it("may be younger than some times what making them took, where a read allows it", async () => {
    let now = 0;
    const answers = new Answers(10_000, () => now);
    let count = 0;
    const make = async (): Promise<Buffer> => {
      now += 100;
      return Promise.resolve(Buffer.from(String(++count)));
    };
    const read = async (version: number, times?: number): Promise<string> =>
      answers.text(
        await answers.get(of("a", `${version}`), times ? { times, revision: version } : undefined, make, never),
      );
    expect(await read(1, 10)).toBe("1");
    expect([answers.settled(1), answers.settled(2)]).toEqual([1, 1]);
    now += 999;
    expect(await read(2, 10)).toBe("1");
    expect(answers.age(answers.find(of("a", "1")) as Answer)).toBe(999);
    now += 1;
    expect(answers.settled(2)).toBe(2);
    // It is still the answer of its version.
    expect(await read(1)).toBe("1");
    expect(await read(2, 10)).toBe("2");
    // Who reads exactly is not shown an older one.
    expect(await read(3)).toBe("3");
    expect(answers.settled(4)).toBe(4);
    expect(await read(4, 10)).toBe("4");
  });

  it("are of the present data after ten seconds, however long they took", async () => {
    let now = 0;
    const answers = new Answers(10_000, () => now);
    const make = async (): Promise<Buffer> => {
      now += 60_000;
      return Promise.resolve(Buffer.from(String(now)));
    };
    await answers.get(of("a"), { times: 10, revision: 1 }, make, never);
    now += 9_999;
    expect(answers.find(of("a", "2"), { times: 10, revision: 2 })).toBeDefined();
    now += 1;
    expect(answers.find(of("a", "2"), { times: 10, revision: 2 })).toBeUndefined();
  });

  it("are shared by requests that come while one is made, of a later version as well where that may be shown", async () => {
    const answers = new Answers(10_000);
    const made = maker();
    const get = async (version: string, mayBeOlder: boolean): Promise<Answer> =>
      answers.get(
        of("a", version),
        mayBeOlder ? { times: 10, revision: Number(version) } : undefined,
        made.make,
        never,
      );
    const exact = await Promise.all(Array.from({ length: 20 }, async () => get("1", false)));
    expect([made.count, new Set(exact).size]).toEqual([1, 1]);
    const older = get("2", true);
    expect(answers.settled(3)).toBe(2);
    expect(new Set(await Promise.all([older, get("3", true)])).size).toBe(1);
    await Promise.all([get("4", false), get("5", false)]);
    expect(made.count).toBe(4);
  });

  it("are not cached where they are larger than the limit, nor are failures", async () => {
    const answers = new Answers(300);
    expect(await answers.text(await answers.get(of("a"), undefined, maker().make, never))).toBe("answer 1");
    expect(answers.bytes).toBe(0);
    const failing = answers.get(of("b"), undefined, async () => Promise.reject(new Error("no such field")), never);
    await expect(failing).rejects.toThrow("no such field");
    expect(await answers.text(await answers.get(of("b"), undefined, maker().make, never))).toBe("answer 1");
  });

  it("are cancelled when the last waiting request ends, and not before", async () => {
    const answers = new Answers(10_000);
    const [one, other] = [new AbortController(), new AbortController()];
    let ended: unknown;
    const endless = async (signal: AbortSignal): Promise<Buffer> =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ended = signal.reason;
          reject(new Error("interrupted"));
        });
      });
    const first = answers.get(of("a"), undefined, endless, one.signal);
    const second = answers.get(of("a"), undefined, endless, other.signal);
    one.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    expect(ended).toBeUndefined();
    other.abort(new Error("left too"));
    await expect(second).rejects.toThrow("left too");
    expect(ended).toEqual(new Error("left too"));
    // The next request begins anew instead of waiting for what was given up.
    expect(await answers.text(await answers.get(of("a"), undefined, maker().make, never))).toBe("answer 1");
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

  it("has the answer that a new one has, also after something was stored", async () => {
    const random = new Random("answers", 1);
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
