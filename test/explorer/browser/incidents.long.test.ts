import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { workFolder } from "#test/cli/census.ts";
import type { Running } from "#test/running.ts";
import {
  BROKEN_OPENSSL,
  BROKEN_SERVER,
  DRIFTING_FILE,
  MEDDLER,
  MISSING_LIBRARY,
  WRONG_SERVER,
  WRONG_SETTING,
  WRONG_SITE,
} from "../incidents/incidents.ts";
import { writeIncidents } from "../incidents/write-incidents.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { rows } from "./rows.ts";
import { openArchive } from "./serve.ts";
import { rowCount, tableOf } from "./table.ts";
import type { Visit } from "./visit.ts";

let server: Running;
let url: string;

/** A visit that begins at Overview and counts its clicks. */
class Walk implements AsyncDisposable {
  readonly visit: Visit;
  clicks = 0;

  private constructor(visit: Visit) {
    this.visit = visit;
  }

  static async begin(): Promise<Walk> {
    return new Walk(await browse(`${url}/explorer/`));
  }

  async click(control: Locator): Promise<void> {
    this.clicks++;
    await control.click();
    await this.visit.settled();
  }

  /** Clicks what a panel names. */
  async choose(panel: string, name: string | RegExp): Promise<void> {
    await this.click(this.visit.page.getByRole("region", { name: panel }).getByRole("link", { name }));
  }

  /** What sets the nodes of the page apart from all others, the greatest difference first. */
  async shared(): Promise<Locator> {
    await this.click(this.visit.page.getByRole("link", { name: "What these nodes share" }));
    return this.visit.page.locator(".traits tbody tr");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.visit[Symbol.asyncDispose]();
  }
}

async function certnames(pql: string): Promise<number> {
  const found = await rows<{ certname: string }>(url, pql);
  return new Set(found.map(({ certname }) => certname)).size;
}

/** Making and opening the archive takes most of the time. */
describeInBrowser("from Overview to the cause, among 2,000 nodes,", () => {
  beforeAll(async () => {
    const folder = workFolder();
    const archive = join(folder, "incidents.tgz");
    await writeIncidents(archive);
    server = await openArchive(archive, { env: { XDG_CACHE_HOME: folder } });
    ({ url } = server);
  });
  afterAll(async () => {
    await server.stop();
  });

  it("of an upgrade that breaks one release of an operating system", async () => {
    expect(await certnames("nodes[certname]{}")).toBe(2000);
    await using walk = await Walk.begin();
    await walk.choose("Issues", /OpenSSL version mismatch/);
    const traits = await walk.shared();
    const [cause, ...others] = await traits.allInnerTexts();
    expect(cause).toContain(`openssl ${BROKEN_OPENSSL} (dnf)`);
    expect(others.join("\n")).toMatch(/os\.release\.major = "9"/);
    await walk.click(traits.first().getByRole("link"));
    const upgraded = `package_inventory[certname]{ package_name = "openssl" and version = "${BROKEN_OPENSSL}" }`;
    expect(await rowCount(tableOf(walk.visit.page, "Nodes"))).toBe(await certnames(upgraded));
    expect(walk.clicks).toBe(3);
  });

  it("of a wrong value in the data of one site", async () => {
    await using walk = await Walk.begin();
    await walk.choose("Issues", /Failed to resolve server/);
    const traits = (await (await walk.shared()).allInnerTexts()).join("\n");
    expect(traits).toContain(`pp_datacenter = ${WRONG_SITE}`);
    const { page } = walk.visit;
    await walk.click(page.getByRole("main").getByRole("link", { name: "Mount[/srv/handover]" }));
    await walk.click(page.getByRole("button", { name: new RegExp(`${WRONG_SERVER}:/handover`) }));
    const wrong = `resources[certname]{ title = "/srv/handover" and parameters.device = "${WRONG_SERVER}:/handover" }`;
    expect(await rowCount(tableOf(page, "Nodes with the resource"))).toBe(await certnames(wrong));
    expect(walk.clicks).toBe(4);
  });

  it("of a server whose agents fall back to their cached catalogs", async () => {
    await using walk = await Walk.begin();
    await walk.choose("Issues", new RegExp(MISSING_LIBRARY));
    expect(await walk.visit.text()).toContain("hidden failure");
    const traits = await walk.shared();
    expect(await traits.first().innerText()).toContain(BROKEN_SERVER);
    expect(walk.clicks).toBe(2);
  });

  it("of a node that stopped reporting", async () => {
    await using walk = await Walk.begin();
    const silent = walk.visit.page.getByRole("region", { name: "Went silent" }).getByRole("link");
    expect(await silent.count()).toBe(1);
    await walk.click(silent);
    await walk.click(walk.visit.page.getByRole("region", { name: "Now" }).locator("a[href*='/reports/']"));
    expect(await walk.visit.text()).toContain(WRONG_SETTING.slice(1));
    expect(walk.clicks).toBe(2);
  });

  it("of drift on one file", async () => {
    await using walk = await Walk.begin();
    const changes = walk.visit.page.getByRole("region", { name: "What changed" });
    await walk.click(changes.getByRole("button", { name: "Corrective" }));
    await walk.click(changes.getByRole("link", { name: `File[${DRIFTING_FILE}]` }));
    const traits = await walk.shared();
    expect(await traits.first().innerText()).toContain(MEDDLER);
    expect(walk.clicks).toBe(3);
  });
});
