import { describe, expect, it } from "vitest";
import { readCiphers } from "#app/listeners/ciphers.ts";
import { readProtocols } from "#app/listeners/protocols.ts";

describe("ssl-protocols", () => {
  it.each<[names: string[] | undefined, min: string, max: string, warnings: number]>([
    [undefined, "TLSv1.2", "TLSv1.3", 0],
    [["TLSv1.3", "TLSv1.2"], "TLSv1.2", "TLSv1.3", 0],
    [["TLSv1.2"], "TLSv1.2", "TLSv1.2", 0],
    [[" TLSv1.3 "], "TLSv1.3", "TLSv1.3", 0],
    [["SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2"], "TLSv1.2", "TLSv1.2", 3],
  ])("%j: from %s to %s", (names, minVersion, maxVersion, warnings) => {
    const read = readProtocols(names);
    expect(read).toMatchObject({ minVersion, maxVersion });
    expect(read.warnings).toHaveLength(warnings);
  });

  it.each<[names: string[], message: string]>([
    [["TLSv1.4"], "ssl-protocols: unknown version TLSv1.4; use TLSv1.2 and TLSv1.3"],
    [["TLSv1", "TLSv1.1"], "ssl-protocols: needs at least one of TLSv1.2 and TLSv1.3"],
    [[], "ssl-protocols: needs at least one of TLSv1.2 and TLSv1.3"],
  ])("%j is refused", (names, message) => {
    expect(() => readProtocols(names)).toThrow(expect.objectContaining({ code: "bad-input", message }));
  });
});

describe("cipher-suites", () => {
  // Standard names on the left, OpenSSL's, by its manual page of ciphers, on the right.
  it.each([
    ["TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"],
    ["TLS_CHACHA20_POLY1305_SHA256", "TLS_CHACHA20_POLY1305_SHA256"],
    ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
    ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"],
    ["TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", "DHE-RSA-AES256-GCM-SHA384"],
    ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"],
    ["TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", "ECDHE-RSA-AES256-SHA384"],
    ["TLS_RSA_WITH_AES_128_GCM_SHA256", "AES128-GCM-SHA256"],
    ["TLS_RSA_WITH_AES_256_CBC_SHA", "AES256-SHA"],
    ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
  ])("%s is %s", (name, suite) => {
    expect(readCiphers([name])).toBe(suite);
  });

  it("are by default only those with authenticated encryption and forward secrecy", () => {
    for (const suite of readCiphers().split(":")) expect(suite).toMatch(/^(TLS|ECDHE|DHE)[-_].*AES_?(128|256)[-_]GCM/);
  });

  it.each(["TLS_RSA_WITH_RC4_128_MD5", "ALL", "!aNULL", ""])("%j is refused", (name) => {
    expect(() => readCiphers(["TLS_AES_128_GCM_SHA256", name])).toThrow(`cipher-suites: unknown cipher suite ${name}`);
  });
});
