import { type Server, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SAMPLE, startServer, workFolder } from "#test/cli/census.ts";
import { browse, describeInBrowser } from "./browser.ts";
import { placesOf, subjectsOf, unknownSubjects } from "./places.ts";
import { openArchive, serverOf, serveFolder } from "./serve.ts";

/** Requests whose answers are shown; what the data are as of is no such. */
const IS_DATA = /^\/(?:pdb|explorer\/api\/v1\/(?!about))/;

/** Pages that show nothing of the store until a reader names something, or never. */
const WITHOUT_DATA = new Set(["/explorer/help", "/explorer/compare", "/explorer/search"]);

/** What the browser logs while a server is gone, and while the next one is starting. */
const AWAY = [/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/, /status of 503/];

interface SlowProxy extends AsyncDisposable {
  readonly url: string;
  /** Holds back answers with data from now on. */
  hold(): void;
  /** Sends the answers that were held back, and holds back no others. */
  release(): void;
}

/** Forwards everything to a server, and responds with data when `release` is called. */
async function slowProxy(target: string): Promise<SlowProxy> {
  const { hostname, port } = new URL(target);
  let held: (() => void)[] | undefined;
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url: path = "/", headers } = incoming;
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      const send = (): void => void answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers));
      if (held !== undefined && IS_DATA.test(path)) held.push(send);
      else send();
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => (held = []),
    release: () => {
      for (const send of held ?? []) send();
      held = undefined;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describeInBrowser("in trouble", () => {
  it("each page says that it waits for a slow server, then shows what came", async () => {
    const target = await serverOf("sample");
    await using proxy = await slowProxy(target);
    const places = placesOf(await subjectsOf(target)).filter(
      ({ page, path }) => page !== "query" && !WITHOUT_DATA.has(path),
    );
    await using visit = await browse(`${proxy.url}/explorer/help`);
    for (const { path } of places) {
      proxy.hold();
      await visit.go(proxy.url + path, false);
      const waiting = visit.page.locator("main :is([aria-busy=true], .skeleton, [role=progressbar])");
      await expect.poll(() => waiting.count(), { message: path }).toBeGreaterThan(0);
      proxy.release();
      await visit.settled();
      expect({ path, alerts: await visit.alerts() }).toStrictEqual({ path, alerts: [] });
    }
  });

  it("a page keeps what it showed while the server is gone, says so, and says when it is back", async () => {
    const first = await openArchive(SAMPLE);
    const { port } = new URL(first.url);
    await using visit = await browse(`${first.url}/explorer`, { expected: AWAY });
    const banner = visit.page.locator(".banner");
    const panels = await visit.page.locator("main section").count();
    await first.stop();
    await visit.page.keyboard.press("r");
    await expect.poll(() => banner.allInnerTexts()).toStrictEqual([contains("No connection to the server")]);
    expect(await visit.page.locator("main section").count()).toBe(panels);
    // It answers before it is ready, and the page says so for some seconds only.
    const starting = startServer(["open", SAMPLE, "--port", port, "--no-browser"]);
    await expect.poll(() => banner.allInnerTexts()).toStrictEqual([contains("The server is back")]);
    const second = await starting;
    await visit.settled();
    expect(await visit.alerts()).toStrictEqual([]);
    await second.stop();
  });

  it("the search takes what is typed at once after it was opened", async () => {
    await using visit = await browse(`${await serverOf("sample")}/explorer/help`);
    const { page } = visit;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("stat");
    expect(await page.getByRole("combobox", { name: /^Search/ }).inputValue()).toBe("stat");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/explorer/status");
  });

  it("a page that cannot be loaded says so, and is there after it was loaded again", async () => {
    await using visit = await browse(`${await serverOf("sample")}/explorer/help`, { expected: [/ERR_FAILED/] });
    const { page } = visit;
    await page.route(/\/assets\/page-/, async (route) => route.abort());
    await page.getByRole("link", { name: "Status", exact: true }).click();
    const alerts = page.locator("main [role=alert]");
    await expect.poll(() => alerts.allInnerTexts()).toStrictEqual([contains("could not be loaded")]);
    expect(await page.locator("[aria-live=polite]").allTextContents()).toStrictEqual(["This page could not be loaded"]);
    await page.unroute(/\/assets\/page-/);
    await page.getByRole("button", { name: "Reload the page" }).click();
    await expect.poll(() => alerts.count()).toBe(0);
    await visit.settled();
    expect(await page.title()).toContain("Status");
  });

  it("a page that could not be loaded while the server was gone comes by itself when it is back", async () => {
    const first = await openArchive(SAMPLE);
    const { port } = new URL(first.url);
    await using visit = await browse(`${first.url}/explorer/help`, { expected: AWAY });
    const { page } = visit;
    await first.stop();
    await page.getByRole("link", { name: "Status", exact: true }).click();
    const alerts = page.locator("main [role=alert]");
    await expect.poll(() => alerts.allInnerTexts()).toStrictEqual([contains("could not be loaded")]);
    const second = await startServer(["open", SAMPLE, "--port", port, "--no-browser"]);
    await expect.poll(() => alerts.count()).toBe(0);
    await expect.poll(() => page.title()).toContain("Status");
    await second.stop();
  });

  it("each page says so if the access rules deny the data, and shows nothing else", async () => {
    const folder = workFolder();
    const policy = join(folder, "policy.json");
    writeFileSync(policy, JSON.stringify({ pages: ["any"] }));
    const server = await serveFolder(join(folder, "data"), "--authorization-policy", policy);
    {
      await using visit = await browse(`${server.url}/explorer/help`, { expected: [/status of 403/] });
      for (const { path } of placesOf(unknownSubjects)) {
        await visit.follow(path);
        const [alert] = await visit.alerts();
        expect({ path, alert }).toStrictEqual({ path, alert: expect.stringMatching(/access rules/i) as string });
      }
    }
    await server.stop();
  });
});

function contains(text: string): string {
  return expect.stringContaining(text) as string;
}
