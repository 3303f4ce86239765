import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkStart } from "#app/check/check.ts";
import type { Finding } from "#app/check/finding.ts";
import { currentUser, type User, userCalled } from "#app/check/user.ts";
import { loadSettings } from "#app/settings/load.ts";
import { createAuthority, hoursFromNow } from "#test/certificates.ts";

// Other users have to be able to reach what is in it.
const folder = mkdtempSync(join(tmpdir(), "census-check-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Somebody who owns nothing here and is in no group of it. */
const stranger: User = { name: "stranger", uid: 54_321, gids: [54_321], isSelf: false };

const [year, week] = [hoursFromNow(24 * 365), hoursFromNow(24 * 7)];
const authority = createAuthority("Site CA", year);
const own = authority.issue({ name: "census.example.com", until: year });
const renewable = authority.issue({ name: "census.example.com", until: week });
const expired = authority.issue({ name: "census.example.com", from: hoursFromNow(-48), until: hoursFromNow(-1) });
const future = authority.issue({ name: "census.example.com", from: hoursFromNow(24), until: year });
const other = authority.issue({ name: "other.example.com", until: year });
const short = authority.issue({ name: "census.example.com", until: year, rsaBits: 512 });
const elsewhere = createAuthority("Another CA");

function file(name: string, text: string, mode = 0o644): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const paths = {
  ca: file("ca.pem", authority.cert),
  cert: file("cert.pem", own.cert),
  key: file("key.pem", own.key, 0o600),
  openKey: file("open-key.pem", own.key, 0o644),
  otherKey: file("other-key.pem", other.key, 0o600),
  renewable: file("renewable.pem", renewable.cert),
  renewableKey: file("renewable-key.pem", renewable.key, 0o600),
  expired: file("expired.pem", expired.cert),
  expiredKey: file("expired-key.pem", expired.key, 0o600),
  future: file("future.pem", future.cert),
  futureKey: file("future-key.pem", future.key, 0o600),
  short: file("short.pem", short.cert),
  shortKey: file("short-key.pem", short.key, 0o600),
  crl: file("crl.pem", authority.revoke([other], year)),
  oldCrl: file("old-crl.pem", authority.revoke([other], hoursFromNow(-1))),
  otherCrl: file("other-crl.pem", elsewhere.revoke([], year)),
  allowlist: file("allowlist", "web.example.com\n"),
  nobody: file("nobody", "\n"),
  policy: file("policy.json", '{"query": ["any"]}'),
  badPolicy: file("bad-policy.json", '{"querry": ["any"]}'),
  missing: join(folder, "missing.pem"),
} as const;

const tls = {
  "ssl-host": "127.0.0.1",
  "ssl-port": "0",
  "ssl-ca-cert": paths.ca,
  "ssl-cert": paths.cert,
  "ssl-key": paths.key,
};

interface Place {
  readonly user?: User;
  readonly directory?: string;
  readonly now?: number;
  readonly hostname?: string;
}

async function found(flags: Readonly<Record<string, string>>, place: Place = {}): Promise<readonly Finding[]> {
  const loaded = await loadSettings({ env: {}, flags: { port: "0", ...flags } });
  const {
    user = { ...currentUser(), uid: 1, isSelf: true },
    directory = join(folder, "data"),
    now,
    hostname = "census.example.com",
  } = place;
  return checkStart(loaded, { user, directory, hostname, ...(now === undefined ? {} : { now }) });
}

/** What is wrong: level, check and text of each. */
async function wrong(flags: Readonly<Record<string, string>>, place: Place = {}): Promise<string[]> {
  const findings = await found(flags, place);
  return findings.flatMap(({ level, check, what }) => (level === "ok" ? [] : [`${level} ${check}: ${what}`]));
}

describe("the files of TLS", () => {
  it("are sound", async () => {
    expect(await wrong({ ...tls, "ssl-crl-path": paths.crl })).toStrictEqual([]);
  });

  it("are for another machine, which is a warning; a name without its domain is enough", async () => {
    const everywhere = { ...tls, "ssl-host": "0.0.0.0" };
    expect(await wrong(everywhere, { hostname: "web.example.com" })).toStrictEqual([
      `warning certificate: ${paths.cert} is for census.example.com, and this machine is web.example.com: clients that use this name reject it`,
    ]);
    expect(await wrong(everywhere, { hostname: "Census" })).toStrictEqual([]);
    expect(await wrong(tls, { hostname: "web.example.com" })).toStrictEqual([]);
  });

  it("have no effect without an address for TLS, which is a warning", async () => {
    const { "ssl-host": _host, "ssl-port": _port, ...files } = tls;
    expect(await wrong(files)).toStrictEqual(["warning setting: has no effect: TLS is off"]);
    expect(await wrong({ ...files, "ssl-port": "0" })).toStrictEqual([]);
  });

  it.each<[what: string, flags: Readonly<Record<string, string>>, expected: RegExp[]]>([
    [
      "a certificate that is not there",
      { "ssl-cert": paths.missing },
      [/^error certificate: \S+missing\.pem does not exist$/],
    ],
    ["a key that is not there", { "ssl-key": paths.missing }, [/^error key: \S+missing\.pem does not exist$/]],
    [
      "an authority that is not there",
      { "ssl-ca-cert": paths.missing },
      [/^error authority: \S+missing\.pem does not exist$/],
    ],
    [
      "a list that is not there",
      { "ssl-crl-path": paths.missing },
      [/^error revocation list: \S+missing\.pem does not exist$/],
    ],
    [
      "a key where a certificate has to be",
      { "ssl-cert": paths.key },
      [/^error certificate: \S+key\.pem contains a private key instead of a certificate$/],
    ],
    [
      "a key of another certificate",
      { "ssl-key": paths.otherKey },
      [/^error key: \S+ is not the key of the certificate in ssl-cert$/],
    ],
    ["a key that everybody can read", { "ssl-key": paths.openKey }, [/^warning key: \S+ can be read by every user/]],
    [
      "a certificate that ends within a month",
      { "ssl-cert": paths.renewable, "ssl-key": paths.renewableKey },
      [/^warning certificate: \S+renewable\.pem \(CN=census\.example\.com\) expires in [67] days/],
    ],
    [
      "a certificate that has expired",
      { "ssl-cert": paths.expired, "ssl-key": paths.expiredKey },
      [/^error certificate: \S+ \(CN=census\.example\.com\) expired on /],
    ],
    [
      "a key that OpenSSL finds too short",
      { "ssl-cert": paths.short, "ssl-key": paths.shortKey },
      [/^error TLS: TLS cannot be enabled: .*key too small/],
    ],
    [
      "a version of TLS that is retired",
      { "ssl-protocols": "TLSv1.1,TLSv1.2" },
      [/^warning TLS: ssl-protocols: TLSv1\.1 /],
    ],
    [
      "a certificate of tomorrow",
      { "ssl-cert": paths.future, "ssl-key": paths.futureKey },
      [/^error certificate: .* is not valid before /],
    ],
    [
      "a list that has expired",
      { "ssl-crl-path": paths.oldCrl },
      [/^error revocation list: .* all clients are rejected$/],
    ],
    [
      "a list of another authority",
      { "ssl-crl-path": paths.otherCrl },
      [/^error revocation list: .* has no list of CN=Site CA/],
    ],
  ])("%s", async (_what, flags, expected) => {
    const all = await wrong({ ...tls, ...flags });
    expect(all).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(all[index]).toMatch(pattern);
  });
});

describe("the files of access", () => {
  it.each<[flags: Readonly<Record<string, string>>, expected: RegExp]>([
    [{ "certificate-allowlist": paths.missing }, /^error allowlist: \S+ does not exist$/],
    [{ "certificate-allowlist": paths.nobody }, /^warning allowlist: \S+ is empty/],
    [{ "authorization-policy": paths.badPolicy }, /^error policy: .*unknown family "querry"/],
  ])("%j", async (flags, expected) => {
    const all = await wrong(flags);
    expect(all).toStrictEqual([expect.stringMatching(expected)]);
  });

  it("are sound", async () => {
    const flags = { "certificate-allowlist": paths.allowlist, "authorization-policy": paths.policy };
    expect(await wrong(flags)).toStrictEqual([]);
  });
});

describe("the explorer", () => {
  const hint = /^browsers need a client certificate to open the explorer over TLS/;

  it.each<[flags: Readonly<Record<string, string>>, isSaid: boolean]>([
    [tls, true],
    [{ ...tls, "client-auth": "need" }, true],
    [{ ...tls, "client-auth": "want" }, false],
    [{ ...tls, explorer: "false" }, false],
    [{}, false],
  ])("is reported as needing certificates in browsers, if it does: %j", async (flags, isSaid) => {
    const all = await found(flags);
    expect(all.filter(({ what }) => hint.test(what)).map(({ level }) => level)).toStrictEqual(isSaid ? ["ok"] : []);
  });
});

/** What is said about the file of the explorer's site. */
const saidOfSite = async (name: string, text: string): Promise<string[]> => {
  const all = await found({ "explorer-site": file(name, text) });
  return all.filter(({ check }) => check === "explorer site").map(({ level, what }) => `${level} ${what}`);
};

describe("the file of the explorer's site", () => {
  it("is read", async () => {
    expect(await saidOfSite("sound.yaml", "queries:\n  - { name: a, query: 'nodes{}' }\n")).toStrictEqual([
      `ok ${join(folder, "sound.yaml")} has 1 query, 0 views, 0 links for the explorer`,
    ]);
  });

  it("causes only a warning with its place if it is invalid", async () => {
    expect(await saidOfSite("wrong.yaml", "queries:\n  - { nam: a }\n")).toStrictEqual([
      'warning wrong.yaml:2:7: unknown key "nam" of a query; did you mean name?',
    ]);
  });

  it("causes only a warning with its place if a view leads to no page", async () => {
    const text = "views:\n  - { name: a, address: /explorer/noodles }\n";
    expect(await saidOfSite("lost.yaml", text)).toStrictEqual([
      "warning lost.yaml:2:25: the explorer has no page /explorer/noodles",
    ]);
  });

  it("causes only a warning if it does not exist", async () => {
    const expected = expect.stringMatching(/^warning explorer site: \S+missing\.pem does not exist$/) as string;
    expect(await wrong({ "explorer-site": paths.missing })).toStrictEqual([expected]);
  });
});

describe("another user", () => {
  it("cannot read a file that is readable by its owner only", async () => {
    expect(await wrong({ ...tls, data: folder }, { user: stranger, directory: folder })).toStrictEqual([
      expect.stringMatching(/^error key: \S+key\.pem cannot be read by stranger: \S+ has mode 0600, owner \d+/),
      expect.stringMatching(/^error data directory: \S+ cannot be read and written by stranger: \S+ has mode 0755/),
    ]);
  });

  it("cannot read a file in a folder that is closed to it", async () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o700 });
    writeFileSync(join(closed, "list"), "web\n");
    const [first] = await wrong({ "certificate-allowlist": join(closed, "list") }, { user: stranger });
    expect(first).toMatch(/^error allowlist: \S+list cannot be read by stranger: \S+closed has mode 0700/);
  });

  it("is found by name and number", () => {
    expect(userCalled("root")).toMatchObject({ name: "root", uid: 0 });
    expect(userCalled("0")).toMatchObject({ uid: 0 });
    expect(() => userCalled("no-such-user")).toThrow('--as-user: unknown user "no-such-user"');
  });
});

describe("the machine", () => {
  it("lacks the folder of the access log", async () => {
    expect(await wrong({ "access-log": join(folder, "none", "access.log") })).toStrictEqual([
      expect.stringMatching(/^error access log: the directory \S+none does not exist$/),
    ]);
  });

  it("has a file at the path of the data directory", async () => {
    expect(await wrong({}, { directory: paths.ca })).toContainEqual(
      expect.stringMatching(/^error data directory: \S+ is not a directory$/),
    );
  });

  it("has a port that another program uses, which is named if the system knows it", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const all = await wrong({ port: String(port) });
      const by = process.platform === "linux" ? `\\S+ \\(PID ${process.pid}\\)` : ".+";
      expect(all).toStrictEqual([
        expect.stringMatching(new RegExp(`^error port: 127\\.0\\.0\\.1:${port} is in use by .*${by}$`)),
      ]);
    } finally {
      server.close();
    }
  });

  it.each<[flags: Readonly<Record<string, string>>, expected: RegExp]>([
    [{ host: "192.0.2.1", "allow-plain-http": "true" }, /^error port: 192\.0\.2\.1 is not an address of this machine$/],
    [{ host: "no-such-host.invalid" }, /^error port: /],
  ])("does not have the address %j", async (flags, expected) => {
    expect(await wrong({ ...flags, port: "18123" })).toStrictEqual([expect.stringMatching(expected)]);
  });

  it("allows low ports to root only", async () => {
    const all = await wrong({ port: "81" }, { user: stranger, directory: "/tmp/census-check-data" });
    const isLinux = process.platform === "linux";
    expect(all.some((line) => line.endsWith(" needs root"))).toBe(isLinux);
  });

  it("has a clock that is earlier than the times of its files", async () => {
    utimesSync(paths.allowlist, hoursFromNow(5), hoursFromNow(5));
    expect(await wrong({ "certificate-allowlist": paths.allowlist })).toStrictEqual([
      expect.stringMatching(/^error clock: it is \S+Z, but \S+allowlist was written on /),
    ]);
  });
});
