import { chmod, mkdir } from "node:fs/promises";
import { generateKeyPairSync } from "node:crypto";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CredentialFiles, readCredentials } from "#app/listeners/credentials.ts";
import { createAuthority, hoursFromNow } from "#test/certificates.ts";
import { withoutRoot } from "#test/without-root.ts";
import { openSite, serverNames, type Site } from "./site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site[Symbol.asyncDispose]());

/** Keys with a pass phrase, in the format of today and in OpenSSL's old one. */
const [LOCKED, LOCKED_OLD] = (["pkcs8", "sec1"] as const).map((type) => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type, format: "pem", cipher: "aes-256-cbc", passphrase: "secret" }).toString();
});

const damaged = (pem: string): string => pem.replace(/\n[^-]{20}/, "\nAAAAAAAAAAAAAAAAAAAA");

describe("invalid files of TLS", () => {
  it.each<[file: keyof CredentialFiles, setting: string, text: (site: Site) => string, problem: RegExp]>([
    ["cert", "ssl-cert", () => "", /is not a PEM file with a certificate$/],
    ["cert", "ssl-cert", () => "\u0030\u0082\u0001", /is not a PEM file with a certificate$/],
    ["cert", "ssl-cert", ({ people }) => people.member!.key, /contains a private key instead of a certificate$/],
    ["cert", "ssl-cert", ({ authority }) => damaged(authority.cert), /contains an invalid certificate: /],
    [
      "certChain",
      "ssl-cert-chain",
      ({ authority }) => authority.revoke([]),
      /contains a revocation list instead of a cert/,
    ],
    ["caCert", "ssl-ca-cert", ({ people }) => people.member!.key, /contains a private key instead of a certificate/],
    ["key", "ssl-key", ({ authority }) => authority.cert, /contains a certificate instead of a private key$/],
    ["key", "ssl-key", ({ people }) => damaged(people.member!.key), /contains an invalid private key: /],
    ["key", "ssl-key", () => LOCKED!, /has a pass phrase; use a key without one$/],
    ["key", "ssl-key", () => LOCKED_OLD!, /has a pass phrase; use a key without one$/],
    [
      "key",
      "ssl-key",
      ({ people }) => people.member!.key,
      /is not the key of the certificate in ssl-cert: \S+cert\.pem$/,
    ],
    ["crl", "ssl-crl-path", ({ authority }) => authority.cert, /contains a certificate instead of a revocation list/],
    ["crl", "ssl-crl-path", ({ authority }) => damaged(authority.revoke([])), /contains an invalid revocation list: /],
  ])("%s: case %#", async (file, setting, text, problem) => {
    const path = await site.write("bad.pem", text(site));
    const reading = readCredentials({ ...site.tls, [file]: path }, Date.now());
    await expect(reading).rejects.toMatchObject({ code: "bad-file", message: expect.stringMatching(problem) });
    await expect(reading).rejects.toThrow(`${setting}: ${path} `);
  });

  it.each<[name: string, problem: string]>([
    ["missing.pem", "does not exist"],
    ["folder", "is a directory, not a file"],
  ])("%s", async (name, problem) => {
    await mkdir(site.path("folder"), { recursive: true });
    const path = site.path(name);
    await expect(readCredentials({ ...site.tls, key: path }, Date.now())).rejects.toThrow(
      `ssl-key: ${path} ${problem}`,
    );
  });

  it.skipIf(process.platform === "win32")("one without permission to read it", async () => {
    const path = await site.write("secret.pem", "");
    await chmod(dirname(path), 0o755);
    await chmod(path, 0o000);
    await expect(withoutRoot(() => readCredentials({ ...site.tls, key: path }, Date.now()))).rejects.toThrow(
      `ssl-key: ${path} cannot be read: permission denied`,
    );
  });
});

describe("valid files of TLS", () => {
  it("may contain other PEM blocks", async () => {
    const { cert, key } = site.authority.issue({ name: "census.example.com", at: serverNames });
    const both = await site.write("both.pem", `Bag Attributes\n${key}${cert}`);
    const read = await readCredentials({ ...site.tls, cert: both, key: both }, Date.now());
    expect(read).toMatchObject({ cert, key, warnings: [] });
  });

  it("cause a warning if a certificate has expired", async () => {
    const { cert, key } = site.authority.issue({ name: "a", from: hoursFromNow(-3), until: hoursFromNow(-1) });
    const files = { cert: await site.write("late.pem", cert), key: await site.write("late-key.pem", key) };
    const { warnings } = await readCredentials({ ...site.tls, ...files }, Date.now());
    expect(warnings).toEqual([expect.stringMatching(/^ssl-cert: \S+late\.pem expired on .+ GMT$/)]);
  });

  it("cause a warning if a certificate is not valid yet", async () => {
    const caCert = await site.write("two.pem", site.authority.cert + createAuthority("Other CA").cert);
    const { warnings } = await readCredentials({ ...site.tls, caCert }, hoursFromNow(-2).getTime());
    expect(warnings).toHaveLength(3);
    expect(warnings[1]).toMatch(/^ssl-ca-cert: \S+two\.pem is not valid before .+ GMT$/);
  });
});
