import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { a } from "#test/fixture-store.ts";
import { send } from "#test/app/listeners/site.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { Browser, PASSWORD, type Served, serveWithAccess, until } from "./served.ts";

const nodes = "/pdb/query/v4/nodes";
const page = "/explorer/nodes?q=a%20b";

let served: Served;
beforeAll(async () => {
  served = await serveWithAccess(
    (access) => {
      access.token("ci", { may: ["query"] });
      access.user("alice");
      access.user("olga", { role: "operator" });
      access.user("root", { role: "admin" });
      access.user("eve", { groups: ["guests"] });
      access.user("bob", { groups: ["staff"] });
      access.group("staff", "reader");
    },
    { people: {} },
  );
  await served.store.submit(a.facts("alpha", { values: { kernel: "Linux" } }));
});
afterAll(() => served[Symbol.asyncDispose]());

describe("signing in with a password", () => {
  it("begins at any page and comes back to it", async () => {
    const browser = new Browser(served);
    const sent = await browser.open(page);
    expect(sent).toMatchObject({ status: 303, headers: { location: `/sign-in?to=${encodeURIComponent(page)}` } });
    const form = await browser.open(sent.headers.location ?? "");
    expect(form).toMatchObject({
      status: 200,
      headers: { "referrer-policy": "same-origin", "cache-control": "no-store" },
    });
    expect(form.text).toContain(`name="to" value="${page}"`);
    expect(await browser.signIn("alice", PASSWORD, page)).toMatchObject({ status: 303, headers: { location: page } });
    expect(await browser.open(page)).toMatchObject({ status: 200 });
    expect(JSON.parse((await browser.get(nodes)).text)).toMatchObject([{ certname: "alpha" }]);
    const session = JSON.parse((await browser.get("/explorer/api/v1/session")).text) as unknown;
    expect(session).toEqual({
      name: "alice",
      kind: "user",
      role: "reader",
      groups: [],
      until: expect.any(String) as string,
    });
  });

  it("sets cookies that only this host gets, over TLS, and that no script reads", async () => {
    const got = await new Browser(served).signIn("alice");
    for (const cookie of got.headers["set-cookie"] ?? []) {
      expect(cookie).toMatch(/^__Host-census[\w-]*=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    }
    expect(got.headers["set-cookie"]).toHaveLength(2);
  });

  it("fails in the same way for a wrong password, an empty one and an unknown user", async () => {
    const answers = [];
    for (const [user, password] of [
      ["alice", "wrong"],
      ["alice", ""],
      ["nobody", PASSWORD],
      ["__proto__", "x"],
    ] as const) {
      const browser = new Browser(served);
      answers.push(await browser.signIn(user, password));
      expect(browser.cookies.size).toBe(0);
    }
    const texts = new Set(answers.map(({ text }) => text));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(texts.size).toBe(1);
    expect([...texts][0]).toContain("User name or password is wrong.");
  });

  it("says who is signed in when no group has a role", async () => {
    const browser = new Browser(served);
    const got = await browser.signIn("eve");
    expect(got.status).toBe(403);
    expect(got.text).toContain("You are signed in as eve, but none of your groups may use Census.");
    expect(await browser.get(nodes)).toMatchObject({ status: 401 });
  });

  it("gives the role of a group", async () => {
    const browser = new Browser(served);
    await browser.signIn("bob");
    expect(await browser.get(nodes)).toMatchObject({ status: 200 });
  });

  it.each(["https://evil.example", "null", ""])("is refused for a form of another page: %j", async (origin) => {
    expect(await new Browser(served).post("/sign-in", { user: "alice", password: PASSWORD }, origin)).toMatchObject({
      status: 403,
    });
  });

  it.each(["//evil.example", "/\\evil.example", "https://evil.example/explorer/", "/explorer/../../evil", "/sign-out"])(
    "leads to a page of the explorer alone: %s",
    async (to) => {
      const page = await new Browser(served).open(`/sign-in?to=${encodeURIComponent(to)}`);
      expect(page.text).toContain('name="to" value="/explorer/"');
    },
  );
});

describe("a session", () => {
  it("only reads with every role", async () => {
    const browser = new Browser(served);
    await browser.signIn("root");
    const command = `/pdb/cmd/v1?command=deactivate_node&version=3&certname=alpha`;
    const body = JSON.stringify({ certname: "alpha", producer_timestamp: "2026-11-20T10:00:00Z" });
    const sent = { method: "POST", body, headers: { "content-type": "application/json" } };
    const refusal = { status: 403, text: "Forbidden: sessions only read; use a token or a certificate" };
    expect(await browser.get(command, sent)).toMatchObject(refusal);
    expect(await browser.get("/pdb/admin/v1/archive", sent)).toMatchObject(refusal);
    expect(await browser.get("/pdb/admin/v1/cmd", sent)).toMatchObject(refusal);
    expect(await browser.get("/pdb/admin/v1/archive", { method: "HEAD" })).toMatchObject({ status: 200 });
    expect(await browser.get("/metrics")).toMatchObject({ status: 200 });
  });

  it("of a reader has no export", async () => {
    const browser = new Browser(served);
    await browser.signIn("alice");
    expect(await browser.get("/pdb/admin/v1/archive")).toMatchObject({ status: 403 });
    expect((await browser.open("/pdb/admin/v1/archive")).text).toContain("Sign in as somebody else");
  });

  it("ends with a sign-out, also for who has copied the cookie", async () => {
    const browser = new Browser(served);
    await browser.signIn("alice");
    const copy = new Browser(served);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect(await browser.post("/sign-out", {}, "https://evil.example")).toMatchObject({ status: 403 });
    expect(await browser.post("/sign-out", {})).toMatchObject({ status: 303, headers: { location: "/sign-in" } });
    expect(browser.cookies.has("__Host-census")).toBe(false);
    expect(await copy.get(nodes)).toMatchObject({ status: 401 });
  });

  it("ends when the user is removed, signs out everywhere, or loses the role", async () => {
    const browsers = await Promise.all(
      ["alice", "olga", "bob"].map(async (name) => {
        const browser = new Browser(served);
        await browser.signIn(name);
        return browser;
      }),
    );
    const statuses = async (): Promise<number[]> =>
      Promise.all(browsers.map(async (browser) => (await browser.get(nodes)).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    const { content } = served.access;
    served.access.content = {
      ...content,
      users: new Map([...content.users].filter(([name]) => name !== "alice")),
      groups: new Map(),
      signedOut: new Map([["user:olga", new Date().toISOString()]]),
    };
    await served.access.write();
    await until(async () => (await statuses()).join() === "401,401,403");
    served.access.content = content;
    await served.access.write();
    await until(async () => (await statuses())[2] === 200);
  });

  it("is none of another listener", async () => {
    const browser = new Browser(served);
    await browser.signIn("alice");
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    expect(await served.tls(nodes, "anonymous", { headers: { cookie } })).toMatchObject({ status: 401 });
    expect(await served.tls("/sign-in", "member")).toMatchObject({ status: 404 });
    expect(await served.plain("/sign-in")).toMatchObject({ status: 404 });
  });
});

describe("the listener for people", () => {
  it("accepts tokens with their permissions, and refuses clients without any", async () => {
    const browser = new Browser(served);
    const headers = { "x-authentication": served.access.tokens["ci"] ?? "" };
    expect(await browser.get(nodes, { headers })).toMatchObject({ status: 200 });
    expect(await browser.get("/metrics", { headers })).toMatchObject({ status: 403 });
    expect(await browser.get(nodes)).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
    expect(await browser.get("/status/v1/simple")).toMatchObject({ status: 401 });
    expect(await browser.get("/explorer/")).toMatchObject({ status: 401 });
  });

  it("answers under its own name alone", async () => {
    const headers = { host: "evil.example", accept: "text/html" };
    const sent = { path: "/sign-in", headers, ca: served.site.authority.cert, servername: "localhost" };
    expect(await send(served.peopleUrl, sent)).toMatchObject({ status: 421 });
  });

  it("is no loopback for a policy", async () => {
    await using own = await serveWithAccess((access) => access.user("alice"), {
      people: {},
      policy: { query: ["loopback", "user:alice"], pages: ["signed-in"], status: ["any"] },
    });
    const browser = new Browser(own);
    expect(await browser.get(nodes)).toMatchObject({ status: 401 });
    expect(await browser.get("/status/v1/simple")).toMatchObject({ status: 200 });
    await browser.signIn("alice");
    expect(await browser.get(nodes)).toMatchObject({ status: 200 });
  });
});

describe("many attempts", () => {
  it("are limited by address and by name, but a browser that is known signs in", async () => {
    await using own = await serveWithAccess((access) => access.user("alice"), { people: {} });
    const known = new Browser(own);
    await known.signIn("alice");
    await known.post("/sign-out", {});
    const got = await Promise.all(Array.from({ length: 40 }, () => new Browser(own).signIn("alice", "wrong")));
    expect(new Set(got.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const refused = got.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(29);
    expect(refused[0]).toMatchObject({ headers: { "retry-after": "30" } });
    expect(refused[0]?.text).toContain("Too many attempts; try again in 30 seconds.");
    expect(await known.signIn("alice")).toMatchObject({ status: 303 });
    expect(own.audit.filter(({ result }) => result === "limited")).toHaveLength(1);
  });
});

describe("a start", () => {
  it("makes a private key in the data directory once, with which sessions go on", async () => {
    await using folder = await temporaryFolder();
    const first = await serveWithAccess((access) => access.user("alice"), {
      people: { url: "https://127.0.0.1" },
      directory: folder.path,
    });
    const browser = new Browser(first);
    await browser.post("/sign-in", { user: "alice", password: PASSWORD }, "https://127.0.0.1");
    expect(await browser.get(nodes)).toMatchObject({ status: 200 });
    await first[Symbol.asyncDispose]();
    await using second = await serveWithAccess((access) => access.user("alice"), {
      people: { url: "https://127.0.0.1" },
      directory: folder.path,
    });
    const again = new Browser(second);
    for (const [name, value] of browser.cookies) again.cookies.set(name, value);
    expect(await again.get(nodes)).toMatchObject({ status: 200 });
  });
});
