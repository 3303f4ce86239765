import { once } from "node:events";
import { chmodSync, mkdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkStart } from "#app/check/check.ts";
import { currentUser, type User } from "#app/check/user.ts";
import { loadSettings } from "#app/settings/load.ts";
import { accessFileText, type AccessFile, emptyAccessFile, type UserEntry } from "#app/sign-in/access-file.ts";
import { hashPassword } from "#app/sign-in/password-hash.ts";
import { createAuthority, hoursFromNow } from "#test/certificates.ts";
import { openSite, type Site } from "#test/app/listeners/site.ts";
import { type Forger, openForger } from "#test/app/sign-in/providers.ts";
import { freePort } from "#test/free-port.ts";

const key = "0123456789abcdef".repeat(4);
const password = hashPassword("correct horse battery staple");
const user = (entry: Partial<UserEntry>): Partial<AccessFile> => ({
  users: new Map([["alice", { password, groups: [], ...entry }]]),
});

let site: Site;
let provider: Forger;
/** Settings of a listener for people with which nothing is wrong. */
let sound: Readonly<Record<string, string>>;
let sso: Readonly<Record<string, string>>;
beforeAll(async () => {
  site = await openSite();
  provider = await openForger(site);
  const own = site.authority.issue({ name: "localhost", until: hoursFromNow(24 * 365) });
  const { caCert = "", clientSecretFile = "" } = provider.settings;
  chmodSync(clientSecretFile, 0o600);
  sound = {
    "access-file": await accessFile("access.json", user({ role: "reader" })),
    "people-port": "0",
    "people-host": "127.0.0.1",
    "people-cert": await file("people.pem", own.cert),
    "people-key": await file("people.key", own.key),
    "people-url": "https://localhost",
  };
  sso = {
    "oidc-issuer": provider.issuer,
    "oidc-client-id": "census",
    "oidc-client-secret-file": clientSecretFile,
    "oidc-ca-cert": caCert,
  };
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function file(name: string, text: string, mode = 0o600): Promise<string> {
  const path = await site.write(name, text);
  chmodSync(path, mode);
  return path;
}

async function accessFile(name: string, content: Partial<AccessFile>): Promise<string> {
  return file(name, accessFileText({ ...emptyAccessFile, ...content }));
}

/** What is wrong: level, check and text of each. */
async function wrong(flags: Readonly<Record<string, string>>, now = Date.now(), as?: User): Promise<string[]> {
  const loaded = await loadSettings({ env: {}, flags: { port: "0", ...flags } });
  const place = { user: as ?? { ...currentUser(), uid: 1, isSelf: true }, directory: site.path("data"), now };
  const findings = await checkStart(loaded, place);
  return findings.flatMap(({ level, check, what, where }) =>
    level === "ok" ? [] : [`${level} ${check}: ${what} (${where})`],
  );
}

describe("the listener for people", () => {
  it("is sound", async () => {
    expect(await wrong(sound)).toEqual([]);
  });

  type Case = [what: string, flags: () => Promise<Record<string, string>>, expected: (RegExp | string)[]];
  it.each<Case>([
    [
      "a certificate that is not there",
      async () => ({ "people-cert": "/none/cert.pem" }),
      [/^error certificate: \/none\/cert\.pem does not exist \(.*people-cert\)$/],
    ],
    [
      "the key of another certificate",
      async () => ({ "people-key": await file("other.key", site.authority.issue({ name: "other" }).key) }),
      [/^error key: \S+ is not the key of the certificate in people-cert \(.*people-key\)$/],
    ],
    [
      "a certificate of another name",
      async () => ({ "people-url": "https://people.example.com" }),
      [/^warning certificate: \S+ is not for people\.example\.com, the host of people-url: browsers reject it/],
    ],
    [
      "the certificate of a load balancer, which browsers see",
      async () => ({ "people-url": "https://people.example.com", "people-proxies": "10.0.0.5" }),
      [],
    ],
    [
      "a key file that is not there",
      async () => ({ "session-key-file": "/none/session.key" }),
      [/^error session key: \/none\/session\.key does not exist \(.*session-key-file\)$/],
    ],
    [
      "a key file without a key",
      async () => ({ "session-key-file": await file("bad.key", "abc\n") }),
      [/^error session key: \S+bad\.key: expected one or two lines of 64 hex digits/],
    ],
    [
      "a key file that everybody can read",
      async () => ({ "session-key-file": await file("open.key", `${key}\n`, 0o644) }),
      [/^warning session key: \S+open\.key can be read by every user of this machine/],
    ],
    ["a sound key file", async () => ({ "session-key-file": await file("good.key", `${key}\n${key}\n`) }), []],
    [
      "a shared log without a shared key",
      async () => ({ "command-log": "postgresql://census@127.0.0.1/census_log" }),
      [/^warning session key: each server that shares the log has a session key of its own/],
    ],
    [
      "wide networks of proxies",
      async () => ({ "people-proxies": "10.0.0.0/8,10.1.1.0/24,10.2.2.2,fd00::/48,fd00::/64" }),
      [/^warning proxies: 10\.0\.0\.0\/8 is a wide network/, /^warning proxies: fd00::\/48 is a wide network/],
    ],
    [
      "nobody who can sign in",
      async () => ({ "access-file": await accessFile("empty.json", {}) }),
      [/^warning people: nobody can sign in: /],
    ],
    [
      "nobody with a role",
      async () => ({ "access-file": await accessFile("no-role.json", user({ groups: ["ops"] })) }),
      [/^warning people: nobody who signs in may do anything: no user and no group has a role/],
    ],
    [
      "a role of a group",
      async () => ({
        "access-file": await accessFile("role.json", { ...user({}), groups: new Map([["*", "reader"]]) }),
      }),
      [],
    ],
    ["an audit log without a folder", async () => ({ "audit-log": "/none/audit.log" }), [/^error audit log: /]],
  ])("%s", async (_what, flags, expected) => {
    const found = await wrong({ ...sound, ...(await flags()) });
    expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string));
  });

  it.each<[policy: unknown, isWrong: boolean]>([
    [{ pages: ["*", "loopback", "token:ci", "/user:x/"], query: ["any"] }, true],
    [{ query: ["signed-in"] }, true],
    [{ pages: ["sso:alice"] }, true],
    [{ pages: ["user:alice"] }, false],
    [{ pages: ["group:ops"] }, false],
    [{ pages: ["role:reader"] }, false],
    [{ pages: ["signed-in"] }, false],
    [{ pages: ["any"] }, false],
  ])("is of no use with a policy that admits nobody who signs in: %j", async (policy, isWrong) => {
    const path = await file("policy.json", JSON.stringify(policy));
    const found = await wrong({ ...sound, "authorization-policy": path });
    const expected = expect.stringMatching(/^warning policy: \S+ admits nobody who signs in/) as string;
    expect(found).toEqual(isWrong ? [expected] : []);
  });

  it("has a port that is free", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const found = await wrong({ ...sound, "people-port": String(port) });
      expect(found).toEqual([expect.stringMatching(/^error port: .* is in use by .*people-port\)$/)]);
    } finally {
      server.close();
    }
  });

  it("has a session key that the user of the service can read", async () => {
    const folder = site.path("closed");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stranger = { name: "stranger", uid: 54_321, gids: [54_321], isSelf: false };
    const path = await file(join("closed", "session.key"), `${key}\n`);
    const found = await wrong({ ...sound, "session-key-file": path }, Date.now(), stranger);
    expect(found).toContainEqual(expect.stringMatching(/^error session key: \S+ cannot be read by stranger/));
  });
});

describe("an OpenID Connect provider", () => {
  it("is sound", async () => {
    expect(await wrong({ ...sound, ...sso })).toEqual([]);
  });

  it.each<[what: string, flags: () => Promise<Record<string, string>>, expected: RegExp]>([
    [
      "does not answer",
      async () => ({ "oidc-issuer": `https://127.0.0.1:${await freePort()}` }),
      /^warning provider: \S+ cannot be used: .*ECONNREFUSED.* \(.*oidc-issuer\)$/,
    ],
    [
      "has another issuer",
      async () => ({ "oidc-issuer": provider.issuer.replace("127.0.0.1", "localhost") }),
      /^warning provider: \S+ cannot be used: /,
    ],
    [
      "has a certificate of another authority",
      async () => ({ "oidc-ca-cert": await file("other-ca.pem", createAuthority("Other CA").cert) }),
      /^warning provider: \S+ cannot be used: .*certificate/,
    ],
    [
      "has a secret that is not there",
      async () => ({ "oidc-client-secret-file": "/none/secret" }),
      /^error provider: \/none\/secret does not exist \(.*oidc-client-secret-file\)$/,
    ],
    [
      "has a secret that everybody can read",
      async () => ({ "oidc-client-secret-file": await file("open-secret", "secret\n", 0o644) }),
      /^warning provider: \S+ can be read by every user/,
    ],
  ])("%s", async (_what, flags, expected) => {
    expect(await wrong({ ...sound, ...sso, ...(await flags()) })).toEqual([expect.stringMatching(expected)]);
  });

  it("has another clock", async () => {
    expect(await wrong({ ...sound, ...sso }, Date.now() + 300_000)).toEqual([
      expect.stringMatching(/^warning provider: the clock of the provider differs by (?:299|300|301) s/),
    ]);
  });
});
