import { describe, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, NOW, type TextSubmission } from "#test/fixture-store.ts";
import { queryPath, serve } from "../fixture-service.ts";

/** A catalog with many resources: its body is large enough that its memory is freed early. */
function catalog(title: string, minute: number): TextSubmission {
  const resources = Array.from({ length: 200 }, (_, index): JsonObject => ({
    type: "Notify",
    title: `${title} ${index}`,
    exported: false,
    tags: ["notify"],
    parameters: { message: "a text that makes it longer" },
  }));
  const at = `2026-11-20T10:${String(minute).padStart(2, "0")}:00Z`;
  return a.catalog("web", { producer_timestamp: at, resources, edges: [] });
}

describe.each(["in memory", "in a directory"])("the bodies of commands to a store %s", (where) => {
  it("are intact as long as they are needed", async () => {
    await using folder = await temporaryFolder();
    const clock = fixedClock(NOW);
    const store = await Store.open(where === "in memory" ? { clock } : { clock, directory: folder.path });
    const served = await serve(store);
    const send = async ({ payload, version }: TextSubmission): Promise<void> => {
      const parameters = `command=replace_catalog&version=${version}&certname=web`;
      const headers = { "content-type": "application/json" };
      expect((await served.send("POST", `/pdb/cmd/v1?${parameters}`, payload, headers)).status).toBe(200);
    };
    const found = async (title: string): Promise<number> => {
      const path = queryPath("/resources", { query: ["=", "title", `${title} 7`] });
      return (JSON.parse((await served.get(path)).text) as unknown[]).length;
    };
    const isStored = async (title: string, count = 1): Promise<void> => {
      await expect.poll(() => store.queueDepth).toBe(0);
      await expect.poll(() => found(title)).toBe(count);
    };
    try {
      await send(catalog("first", 1));
      await isStored("first");
      // The third has the content of the node when it comes, and another one than the node when its turn comes.
      await Promise.all([send(catalog("second", 2)), send(catalog("first", 3))]);
      await isStored("first");
      await isStored("second", 0);
      await send(catalog("first", 4));
      await isStored("first");
      expect(served.faults).toEqual([]);
    } finally {
      await served.close();
    }
  });
});
