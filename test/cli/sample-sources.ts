import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { OpenSource } from "#cli/sources/open-source.ts";
import { openSource } from "#cli/sources/source.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import type { Running } from "#test/running.ts";
import { census, SAMPLE, startServer, workFolder } from "./census.ts";

const NOW = "2026-11-20T12:00:00Z";
const clock = fixedClock(parseTimestamp(NOW) ?? 0n);

/** The sample as each kind of source, for the tests of a file: an archive, a data directory and a server, in this order. */
export function sampleSources(): readonly OpenSource[] {
  const folder = workFolder();
  const sources: OpenSource[] = [];
  let server: Running | undefined;
  beforeAll(async () => {
    const [data, config] = [join(folder, "data"), join(folder, "census.ini")];
    // As in an archive that is opened.
    writeFileSync(config, "[census]\nstore-corrective-change = true\n");
    server = await startServer(["open", SAMPLE, "--port", "0"]);
    const { code, stderr } = await census(["import", SAMPLE, "--data", data, "--now", NOW, "--config", config]);
    if (code !== 0) throw new Error(stderr);
    sources.push(
      await openSource({ kind: "archive", path: SAMPLE, clock: undefined, cached: false }),
      await openSource({ kind: "data", path: data, clock }),
      await openSource({ kind: "url", contact: { url: server.url } }),
    );
  });
  afterAll(async () => {
    for (const source of sources) await source.close();
    await server?.stop();
  });
  return sources;
}
