import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessEntry } from "#app/listeners/access-log.ts";
import { openSite, send, type Site } from "#test/app/listeners/site.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { freePort } from "#test/free-port.ts";
import { type Forged, openForger, openProvider, type RunningProvider } from "./providers.ts";
import { Browser, PASSWORD, type Served, serveWithAccess } from "./served.ts";

const nodes = "/pdb/query/v4/nodes";
const page = "/explorer/nodes?q=a";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site[Symbol.asyncDispose]());

interface Sso extends AsyncDisposable {
  readonly provider: RunningProvider;
  readonly served: Served;
  readonly entries: AccessEntry[];
}

async function openSso(
  open: (origin: string) => Promise<RunningProvider>,
  directory?: string,
  port?: number,
): Promise<Sso> {
  const own = port ?? (await freePort());
  const provider = await open(`https://127.0.0.1:${own}`);
  const entries: AccessEntry[] = [];
  const served = await serveWithAccess(
    (access) => {
      access.user("local");
      access.group("ops", "reader");
    },
    {
      people: { port: own, url: `https://127.0.0.1:${own}`, oidc: provider.settings },
      onAccess: (entry) => entries.push(entry),
      ...(directory === undefined ? {} : { directory }),
    },
  );
  return {
    provider,
    served,
    entries,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Goes to the provider and back, as a browser does; returns the address at which it comes back. */
async function viaProvider(browser: Browser, to = page): Promise<string> {
  const begun = await browser.open(`/sign-in/oidc?to=${encodeURIComponent(to)}`);
  let url = begun.headers.location ?? "";
  const cookies = new Map<string, string>();
  while (url !== "" && !url.includes("/sign-in")) {
    const { origin, pathname, search } = new URL(url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const got = await send(origin, { path: pathname + search, ca: site.authority.cert, headers: { cookie } });
    for (const line of got.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    url = new URL(got.headers.location ?? "", url).href;
  }
  const { pathname, search } = new URL(url, "https://census.example.com");
  return pathname + search;
}

describe.each([
  ["in the id token", true],
  ["of the userinfo endpoint", false],
])("signing in at a provider, with claims %s", (_, inIdToken) => {
  it("comes back to the same page, with the role of a group", async () => {
    await using sso = await openSso((origin) => openProvider(site, [origin], inIdToken));
    const browser = new Browser(sso.served);
    expect((await browser.open("/sign-in")).text).toContain("Sign in with SSO");
    const got = await browser.open(await viaProvider(browser));
    expect(got).toMatchObject({ status: 303, headers: { location: page } });
    expect([...browser.cookies.keys()]).toEqual(["__Host-census"]);
    const session = JSON.parse((await browser.get("/explorer/api/v1/session")).text) as unknown;
    expect(session).toMatchObject({ name: "alice", kind: "sso", role: "reader", groups: ["ops"] });
    const logged = JSON.stringify([sso.entries.map(({ target, referer }) => [target, referer]), sso.served.audit]);
    expect(logged).toContain("/sign-in/callback");
    expect(logged).not.toContain("code=");
    expect(sso.entries.at(-1)).toMatchObject({ subject: "sso:alice", listener: "people" });
  });
});

describe("a sign-in at a provider", () => {
  it("arrives from two tabs, and from a server that was started again meanwhile", async () => {
    await using folder = await temporaryFolder();
    const port = await freePort();
    await using provider = await openProvider(site, [`https://127.0.0.1:${port}`]);
    const open = () => openSso(() => Promise.resolve(provider), folder.path, port);
    const first = await open();
    const browser = new Browser(first.served);
    const [one, two] = [await viaProvider(browser, "/explorer/nodes"), await viaProvider(browser, "/explorer/reports")];
    expect(await browser.open(two)).toMatchObject({ status: 303, headers: { location: "/explorer/reports" } });
    await first.served[Symbol.asyncDispose]();
    const second = await open();
    const again = new Browser(second.served);
    for (const [name, value] of browser.cookies) again.cookies.set(name, value);
    again.cookies.delete("__Host-census");
    expect(await again.open(one)).toMatchObject({ status: 303, headers: { location: "/explorer/nodes" } });
    expect(await again.get(nodes)).toMatchObject({ status: 200 });
    await second.served[Symbol.asyncDispose]();
  });

  it("is nothing in another browser, made up, or used twice", async () => {
    await using sso = await openSso((origin) => openProvider(site, [origin]));
    const browser = new Browser(sso.served);
    const callback = await viaProvider(browser);
    const notBegun = { status: 303, headers: { location: "/sign-in?to=%2Fexplorer%2F&why=notBegun" } };
    expect(await new Browser(sso.served).open(callback)).toMatchObject(notBegun);
    expect(await browser.open("/sign-in/callback?code=x&state=y")).toMatchObject(notBegun);
    expect(sso.provider.exchanges).toBe(0);
    const copy = new Browser(sso.served);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect(await browser.open(callback)).toMatchObject({ status: 303, headers: { location: page } });
    expect((await copy.open(callback)).headers.location).toContain("why=refused");
    expect(copy.cookies.has("__Host-census")).toBe(false);
  });

  it("says who is signed in where no group has a role", async () => {
    await using sso = await openSso((origin) => openProvider(site, [origin]));
    sso.provider.account = { name: "eve", groups: ["guests"] };
    const browser = new Browser(sso.served);
    const got = await browser.open(await viaProvider(browser));
    expect(got.status).toBe(403);
    expect(got.text).toContain("You are signed in as eve, but none of your groups may use Census.");
    expect(await browser.get(nodes)).toMatchObject({ status: 401 });
  });

  it("is not possible while the provider is down, and then local users still sign in", async () => {
    await using sso = await openSso((origin) => openProvider(site, [origin]));
    await sso.provider[Symbol.asyncDispose]();
    const browser = new Browser(sso.served);
    const got = await browser.open("/sign-in/oidc");
    expect(got.headers.location).toBe("/sign-in?to=%2Fexplorer%2F&why=unreachable");
    expect((await browser.open(got.headers.location ?? "")).text).toContain(
      "cannot be reached; local users can sign in",
    );
    expect(await browser.signIn("local", PASSWORD)).toMatchObject({ status: 303 });
  });

  it("needs the authority of the provider's certificate", async () => {
    await using sso = await openSso(async (origin) => {
      const provider = await openProvider(site, [origin]);
      return Object.assign(provider, { settings: { ...provider.settings, caCert: undefined } });
    });
    const got = await new Browser(sso.served).open("/sign-in/oidc");
    expect(got.headers.location).toContain("why=unreachable");
    expect(sso.served.audit.at(-1)).toMatchObject({ event: "sign-in", how: "oidc", result: "failed" });
  });
});

describe("an id token", () => {
  it.each<[string, Forged, "in" | "refused"]>([
    ["as it should be", {}, "in"],
    ["without a signature", { algorithm: "none" }, "refused"],
    ["signed with a foreign key", { isForeign: true }, "refused"],
    ["of another issuer", { claims: { iss: "https://evil.example" } }, "refused"],
    ["for another client", { claims: { aud: "other" } }, "refused"],
    ["with another nonce", { claims: { nonce: "other" } }, "refused"],
    ["that has expired", { claims: { exp: 1_700_000_000 } }, "refused"],
    ["without a name", { claims: { preferred_username: 7 } }, "refused"],
  ])("%s: %s", async (_, forged, result) => {
    const forger = await openForger(site);
    forger.forged = forged;
    await using sso = await openSso(() => Promise.resolve(forger));
    const browser = new Browser(sso.served);
    const { headers } = await browser.open(await viaProvider(browser));
    expect(headers.location).toBe(result === "in" ? page : `/sign-in?to=${encodeURIComponent(page)}&why=refused`);
    expect(browser.cookies.has("__Host-census")).toBe(result === "in");
  });

  it("is accepted with a new key of the provider at once", async () => {
    const forger = await openForger(site);
    await using sso = await openSso(() => Promise.resolve(forger));
    for (let round = 0; round < 2; round++) {
      const browser = new Browser(sso.served);
      expect((await browser.open(await viaProvider(browser))).headers.location).toBe(page);
      forger.rotate();
    }
  });
});
