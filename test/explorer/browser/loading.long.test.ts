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
    const words = ["--nodes", "500", "--seed", "3", "--reports", "4", "--leaves", "200", "--resources", "150"];
    await promisify(execFile)(process.execPath, [join(root, "fixtures/build.ts"), ...words, "--out", archive]);
  });

  it("fills the page that was opened, with its progress beside it", async () => {
    const port = await freePort();
    const words = ["open", archive, "--no-browser", "--port", String(port)];
    const server = serverProcess(startProgram(words, { env: { XDG_CACHE_HOME: folder } }));
    const url = `http://127.0.0.1:${port}`;
    try {
      await listening(url);
      await using visit = await browse(`${url}/explorer/nodes?sort=certname`, { settles: false });
      const { page } = visit;
      const note = page.locator(".filling-note");
      await note.getByText("Pages show what has been read so far.").waitFor();
      expect(server.stdout()).toBe("");
      const exporting = page.getByRole("button", { name: "Export" }).first();
      const seen = new Set<string>();
      const shares = new Set<string>();
      let wasRefused = false;
      const watching = (async () => {
        while (await note.getByRole("progressbar").isVisible()) {
          shares.add(await note.innerText({ timeout: 1000 }).catch(() => ""));
          seen.add(/[\d,]+ nodes/.exec(await visit.text())?.[0] ?? "");
          wasRefused ||= await exporting.isDisabled({ timeout: 1000 }).catch(() => false);
          await setTimeout(50);
        }
      })();
      expect(await visit.accessibilityFindings()).toEqual([]);
      await watching;
      expect(shares.size).toBeGreaterThan(1);
      expect(wasRefused).toBe(true);
      seen.delete("");
      seen.delete("500 nodes");
      expect(seen.size).toBeGreaterThan(0);
      await note.getByText("All of large.tgz has been read.").waitFor();
      await server.ready;
      await visit.settled();
      expect(new URL(page.url()).pathname).toBe("/explorer/nodes");
      expect(await cellTexts(tableOf(page, "Nodes"), 0)).not.toEqual([]);
      expect(await visit.text()).toContain("500 nodes");
      expect(await exporting.isEnabled()).toBe(true);
    } finally {
      await server.end("SIGINT");
    }
  });
});
