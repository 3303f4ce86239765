import { readdirSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { bytesOf, idleClient } from "#test/app/idle-client.ts";
import { NOISE, noisyStore } from "#test/app/noisy-store.ts";
import { apiPath } from "./api-path.ts";

let service: Served;
beforeAll(async () => {
  const store = await noisyStore();
  // One download at a time. No client is disconnected during the test because it does not read.
  service = await serve(store, { answers: { longAnswers: 1, exports: 1 }, queries: { idleMs: 600_000 } });
});
afterAll(() => service.close());

function download(format: string): string {
  return `${service.url}${apiPath("rows", { query: "facts[certname, value]{}", format })}`;
}

/** Folders in which this process makes files for downloads. */
function folders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`census-upload-${process.pid}-`));
}

/** Waits until a download has left nothing behind. */
async function nothingLeft(): Promise<void> {
  await expect.poll(folders).toEqual([]);
}

describe.each(["csv", "parquet"])("a client that leaves a download as %s", (format) => {
  const whole = async (): Promise<IncomingMessage> => idleClient(download(format));

  it("frees its place for the next one", async () => {
    for (let turn = 0; turn < 4; turn++) {
      const response = await whole();
      expect(response.statusCode).toBe(200);
      response.destroy();
    }
    const response = await whole();
    expect(response.statusCode).toBe(200);
    expect(await bytesOf(response)).toBeGreaterThan(NOISE / 2);
    await nothingLeft();
    expect(service.faults).toEqual([]);
  });

  it("frees its place for one that waits", async () => {
    const first = await whole();
    const second = whole();
    first.destroy();
    expect(await bytesOf(await second)).toBeGreaterThan(NOISE / 2);
    await nothingLeft();
  });
});

it("removes a file that is being made when the client leaves", async () => {
  const outgoing = request(download("parquet"), { agent: new Agent() }).on("error", () => undefined);
  outgoing.end();
  await expect.poll(folders, { timeout: 30_000, interval: 1 }).toHaveLength(1);
  outgoing.destroy();
  await nothingLeft();
  expect(await bytesOf(await idleClient(download("parquet")))).toBeGreaterThan(NOISE / 2);
  await nothingLeft();
  expect(service.faults).toEqual([]);
});
