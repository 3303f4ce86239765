import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { workFolder } from "#test/cli/census.ts";
import { freePort } from "#test/free-port.ts";
import { startProgram } from "#test/program.ts";
import { serverProcess } from "#test/running.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { cellTexts, tableOf } from "./table.ts";

const folder = workFolder();
const archive = join(folder, "large.tgz");
const root = resolve(import.meta.dirname, "../../..");

/** Waits until the explorer answers. */
async function listening(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/explorer/api/v1/about`).catch(() => undefined);
    if (response?.ok === true) return;
    await setTimeout(20);
  }
}

describeInBrowser("an archive that is still being read", () => {
  beforeAll(async () => {
    const words = ["--nodes", "240", "--seed", "3", "--reports", "4", "--leaves", "200", "--resources", "150"];
    await promisify(execFile)(process.execPath, [join(root, "fixtures/build.ts"), ...words, "--out", archive]);
  });

  it("is shown with its progress, and then fills the page that was opened", { timeout: 120_000 }, async () => {
    const port = await freePort();
    const words = ["open", archive, "--no-browser", "--port", String(port)];
    const server = serverProcess(startProgram(words, { env: { XDG_CACHE_HOME: folder } }));
    const url = `http://127.0.0.1:${port}`;
    try {
      await listening(url);
      await using visit = await browse(`${url}/explorer/nodes?sort=certname`, { settles: false });
      const { page } = visit;
      const status = page.getByRole("status");
      await status.getByRole("heading", { name: "Opening large.tgz" }).waitFor();
      expect(server.stdout()).toBe("");
      // It moves on by itself, also while the page is examined.
      const bar = status.getByRole("progressbar", { name: "Progress" });
      const shares = new Set<string | null>();
      const watching = (async () => {
        while (await bar.isVisible()) {
          shares.add(await bar.getAttribute("value", { timeout: 1000 }).catch(() => null));
          await setTimeout(50);
        }
      })();
      expect(await visit.accessibilityFindings()).toEqual([]);
      await watching;
      expect(shares.size).toBeGreaterThan(1);
      await server.ready;
      await visit.settled();
      expect(new URL(page.url()).pathname).toBe("/explorer/nodes");
      expect(await cellTexts(tableOf(page, "Nodes"), 0)).not.toEqual([]);
      expect(await visit.text()).toContain("240 nodes");
    } finally {
      await server.end("SIGINT");
    }
  });
});
