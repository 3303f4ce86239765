import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { emptyStore, NOW } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { kinds, randomDocuments, recorded, submissionOf, supersedable, textsOf } from "./fixture-history.ts";
import { type Document, HistoryModel } from "./model.ts";

const seeds = byLength({ short: [1], long: [1, 2, 3, 4] });
const COUNT = 150;

/** Parts of random sizes. */
function inParts<T>(items: readonly T[], seed: number): T[][] {
  const random = new Random(seed, "parts");
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += parts.at(-1)?.length ?? 1)
    parts.push(items.slice(at, at + random.integer(1, 20)));
  return parts;
}

/** The same items in a random order. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = new Random(seed, "order");
  const keyed = items.map((item) => ({ item, key: random.fraction() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

type Texts = Readonly<Record<string, readonly string[]>>;

/** The changes that the model has after some documents. */
function expectedOf(documents: readonly Document[]): Texts {
  const model = new HistoryModel();
  for (const document of documents) model.add(document);
  return Object.fromEntries(kinds.map((kind) => [kind, textsOf(model.changes(kind))]));
}

async function recordedIn(store: Store): Promise<Texts> {
  const found: Record<string, string[]> = {};
  for (const kind of kinds) found[kind] = textsOf(await recorded(store, kind));
  return found;
}

async function settled(store: Store): Promise<void> {
  while (store.queueDepth > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.each(seeds)("the changes recorded of random commands, late and repeated ones among them (seed %i)", (seed) => {
  const documents = randomDocuments(seed, COUNT);

  it("are many of each kind", () => {
    expect(Object.values(expectedOf(documents)).every((changes) => changes.length > 10)).toBe(true);
  });

  it("are those of the model, one command in a batch", async () => {
    const store = await emptyStore();
    for (const document of documents) await store.submit(submissionOf(document));
    expect(await recordedIn(store)).toStrictEqual(expectedOf(documents));
    await store.close();
  });

  it("are those of the model, in batches of any size", async () => {
    const store = await emptyStore();
    for (const part of inParts(documents, seed)) {
      await Promise.all(part.map((document) => store.submit(submissionOf(document))));
    }
    expect(await recordedIn(store)).toStrictEqual(expectedOf(documents));
    await store.close();
  });

  it("are those of the model, imported in one transaction", async () => {
    const store = await emptyStore();
    await store.importAll(
      (async function* () {
        yield* documents.map(submissionOf);
      })(),
    );
    expect(await recordedIn(store)).toStrictEqual(expectedOf(documents));
    await store.close();
  });

  it("are those of the model, with commands that newer ones superseded while they waited", async () => {
    const store = await emptyStore();
    const outcomes: string[] = [];
    for (const part of inParts(documents, seed)) {
      outcomes.push(...(await Promise.all(part.map((document) => store.submit(supersedable(document))))));
    }
    expect(outcomes).toContain("obsolete");
    expect(await recordedIn(store)).toStrictEqual(expectedOf(documents));
    await store.close();
  });

  it("are those of the model, in any order and in batches of any size", async () => {
    const store = await emptyStore();
    for (const part of inParts(shuffled(documents, seed), seed)) {
      await Promise.all(part.map((document) => store.submit(supersedable(document))));
    }
    expect(await recordedIn(store)).toStrictEqual(expectedOf(documents));
    await store.close();
  });

  it("are those of the model after crashes that left commands in the queue", async () => {
    await using folder = await temporaryFolder();
    const options = { clock: fixedClock(NOW) };
    let directory = join(folder.path, "0");
    let store = await Store.open({ ...options, directory });
    for (const [number, part] of inParts(documents, seed).entries()) {
      for (const document of part) await store.accept(supersedable(document));
      if (number % 4 !== 0) continue;
      // The files as they are at a crash: some of the commands are stored, others wait in the queue.
      const next = join(folder.path, String(number + 1));
      cpSync(directory, next, { recursive: true });
      await store.close();
      directory = next;
      store = await Store.open({ ...options, directory });
    }
    await settled(store);
    expect(await recordedIn(store)).toStrictEqual(expectedOf(documents));
    await store.close();
  });
});
