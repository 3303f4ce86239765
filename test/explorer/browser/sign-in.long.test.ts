import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openProvider, type RunningProvider } from "#test/app/sign-in/providers.ts";
import { PASSWORD, type Served, serveWithAccess } from "#test/app/sign-in/served.ts";
import { openSite, type Site } from "#test/app/listeners/site.ts";
import { chromiumPath } from "#test/chromium.ts";
import { freePort } from "#test/free-port.ts";
import { a, emptyStore } from "#test/fixture-store.ts";
import { findingsOf } from "./axe.ts";
import { describeInBrowser } from "./browser.ts";

let site: Site;
let provider: RunningProvider;
let served: Served;
let browser: Browser;

async function newPage(
  options: { javaScriptEnabled?: boolean; viewport?: { width: number; height: number } } = {},
): Promise<Page> {
  return (await browser.newContext({ ignoreHTTPSErrors: true, ...options })).newPage();
}

describeInBrowser("the explorer where people sign in", () => {
  beforeAll(async () => {
    site = await openSite();
    const port = await freePort();
    const url = `https://localhost:${port}`;
    provider = await openProvider(site, [url]);
    const store = await emptyStore();
    await store.submit(a.facts("alpha.example.com", { values: { kernel: "Linux" } }));
    const people = { host: "localhost", port, url, oidc: provider.settings };
    served = await serveWithAccess(
      (access) => {
        access.user("local");
        access.group("ops", "operator");
      },
      { people, store },
    );
    served = { ...served, peopleUrl: url };
    const switches = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: chromiumPath, args: switches, headless: true });
  });
  afterAll(async () => {
    await browser.close();
    await served[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it("comes back from a provider to the same address, shows who is signed in, and signs out", async () => {
    const page = await newPage();
    await page.goto(`${served.peopleUrl}/explorer/nodes?x=1`);
    await page.getByRole("link", { name: "Sign in with SSO" }).click();
    await page.waitForURL(`${served.peopleUrl}/explorer/nodes?x=1`);
    await page.getByText("alice").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${served.peopleUrl}/sign-in`);
    const answer = await page.request.get(`${served.peopleUrl}/pdb/query/v4/nodes`);
    expect(answer.status()).toBe(401);
    await page.context().close();
  });

  it("goes to the sign-in page when the session has ended, and back to the address", async () => {
    const page = await newPage();
    await page.goto(`${served.peopleUrl}/explorer/nodes`);
    await page.getByLabel("User name").fill("local");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.context().clearCookies({ name: "__Host-census" });
    await page.locator(".menu a").nth(3).click();
    await page.waitForURL(/\/sign-in\?/);
    expect(page.url()).toMatch(/\/sign-in\?to=%2Fexplorer%2F\w+/);
    await page.context().close();
  });

  it("has a sign-in page that axe accepts, on narrow screens and without JavaScript too", async () => {
    const page = await newPage({ viewport: { width: 320, height: 640 } });
    await page.goto(`${served.peopleUrl}/sign-in?why=refused`);
    expect(await findingsOf(page, "all")).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    await page.context().close();
    const plain = await newPage({ javaScriptEnabled: false });
    await plain.goto(`${served.peopleUrl}/sign-in`);
    await plain.getByLabel("User name").fill("local");
    await plain.getByLabel("Password").fill(PASSWORD);
    await plain.getByRole("button", { name: "Sign in" }).click();
    await plain.waitForURL(`${served.peopleUrl}/explorer/`);
    await plain.context().close();
  });
});
