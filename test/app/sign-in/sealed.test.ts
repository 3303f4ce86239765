import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey, Attempts } from "#app/sign-in/attempts.ts";
import { readNetworks } from "#app/sign-in/proxies.ts";
import { returnPath } from "#app/sign-in/return-path.ts";
import { Seal } from "#app/sign-in/sealed.ts";

const key = randomBytes(32);
const seal = new Seal([key]);

describe("a sealed value", () => {
  it("is opened with the same key for the same purpose alone", () => {
    const older = randomBytes(32);
    const text = new Seal([older]).seal("session", { name: "alice" });
    expect(new Seal([key, older]).open("session", text)).toEqual({ name: "alice" });
    expect(seal.open("session", text)).toBeUndefined();
    expect(new Seal([older]).open("known", text)).toBeUndefined();
    expect(new Seal([older]).open("flow", text)).toBeUndefined();
  });

  it("is nothing when any bit of it has changed", () => {
    const text = seal.seal("session", { name: "alice", groups: ["ops"] });
    const bytes = Buffer.from(text, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(seal.open("session", changed.toString("base64url"))).toBeUndefined();
    }
    expect(seal.open("session", `${text}=`)).toBeUndefined();
  });

  it("is nothing when it is any other text", () => {
    const texts = fc.oneof(fc.string(), fc.base64String({ minLength: 60 }));
    expect(fc.check(fc.property(texts, (text) => seal.open("session", text) === undefined))).toMatchObject({
      failed: false,
    });
  });
});

describe("the address to return to", () => {
  it.each(["/explorer/", "/explorer/nodes?q=1&r=%2F#x", "/explorer/node/web-01.example.com"])("is kept: %s", (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    "",
    "/",
    "//evil.example/explorer/",
    "/\\evil.example",
    "https://evil.example/explorer/",
    "/explorer/../../evil",
    "/explorer/%2e%2e/%2E%2E/evil",
    "javascript:alert(1)",
    "/explorer/\n/evil",
    "/explorer\t/",
    "/explorer/..",
    " /explorer/",
  ])("is that of the explorer instead of %j", (path) => {
    expect(returnPath(path)).toBe("/explorer/");
  });

  it("never leads anywhere else", () => {
    const parts = fc.constantFrom("/", "\\", "..", ".", "%2e", "explorer", "//", "evil", "?", "#", "@", ":", "\t", "a");
    const checked = fc.check(
      fc.property(fc.array(parts, { maxLength: 12 }), (words) => {
        const url = new URL(returnPath(`/explorer/${words.join("")}`), "https://census.example");
        return url.origin === "https://census.example" && url.pathname.startsWith("/explorer/");
      }),
    );
    expect(checked).toMatchObject({ failed: false });
  });
});

describe("attempts", () => {
  it("are ten at once, then ten a minute, for each key", () => {
    const attempts = new Attempts();
    for (let count = 0; count < 10; count++) expect(attempts.admit(["a", "b"], 0)).toBe(0);
    expect(attempts.admit(["a"], 0)).toBe(6);
    expect(attempts.admit(["c", "b"], 0)).toBe(6);
    expect(attempts.admit(["c"], 0)).toBe(0);
    expect(attempts.admit(["a"], 6000)).toBe(0);
    expect(attempts.admit(["a"], 6000)).toBe(6);
  });

  it.each([
    ["10.0.0.7", "10.0.0.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::6", "2001:db8:1:2"],
    ["2001:db8::6", "2001:db8:0:0"],
    ["::1", ":0:0:0"],
  ])("of %s count for %s", (address, counted) => {
    expect(addressKey(address)).toBe(counted);
  });
});

describe("the addresses of proxies", () => {
  it("are addresses and networks", () => {
    const isProxy = readNetworks(["10.0.0.0/28", "::1", "192.168.1.5"]);
    expect(["10.0.0.15", "::ffff:10.0.0.1", "::1", "192.168.1.5"].map(isProxy)).toEqual([true, true, true, true]);
    expect(["10.0.0.16", "::2", "192.168.1.6", "", "proxy"].map(isProxy)).toEqual([false, false, false, false, false]);
    for (const odd of ["proxy", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "10.0.0.0/8/8"]) {
      expect(() => readNetworks([odd])).toThrow(`${odd} is not an address or a network`);
    }
  });
});
