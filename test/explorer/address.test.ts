import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { href, withParameters } from "#app/explorer/pages/address/address.ts";
import { type Codec, count, flag, list, oneOf, sort, text, texts } from "#app/explorer/pages/address/codecs.ts";

/** Writes a value, and reads it as the address gives it: without parameter the fallback. */
function roundTrip<T>(codec: Codec<T>, value: T): T | undefined {
  const written = codec.write(value);
  const read = new URLSearchParams(written.map((one): [string, string] => ["name", one])).toString();
  const given = new URLSearchParams(read).getAll("name");
  return given.length === 0 ? codec.fallback : codec.read(given);
}

const wellFormed = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed());

describe("parameters of an address", () => {
  it("preserve any text, list and number", () => {
    fc.assert(
      fc.property(
        wellFormed,
        fc.array(wellFormed.filter((value) => value !== "")),
        fc.nat(999_999_999),
        (one, all, number) => {
          expect(roundTrip(text(), one)).toBe(one);
          expect(roundTrip(texts, all)).toStrictEqual(all);
          expect(roundTrip(list(), all)).toStrictEqual(all);
          expect(roundTrip(list(["certname"]), all)).toStrictEqual(all);
          expect(roundTrip(count(20), number)).toBe(number);
        },
      ),
    );
  });

  it("preserve flags, choices and sort orders", () => {
    expect(roundTrip(flag, true)).toBe(true);
    expect(roundTrip(flag, false)).toBe(false);
    expect(roundTrip(oneOf(["table", "json"], "table"), "json")).toBe("json");
    const byName = { field: "certname", descending: false };
    for (const field of ["report_timestamp", 'facts.mountpoints."/".size']) {
      for (const descending of [false, true]) {
        expect(roundTrip(sort(byName), { field, descending })).toStrictEqual({ field, descending });
      }
    }
  });

  it("are left out for the value without parameter", () => {
    expect(count(20).write(20)).toStrictEqual([]);
    expect(list(["a", "b"]).write(["a", "b"])).toStrictEqual([]);
    expect(list(["a", "b"]).write(["b", "a"])).toStrictEqual(["b,a"]);
    expect(flag.write(false)).toStrictEqual([]);
  });

  it("are refused when they are not valid", () => {
    expect(count(20).read(["1e9"])).toBeUndefined();
    expect(count(20).read(["-1"])).toBeUndefined();
    expect(oneOf(["table", "json"], "table").read(["<script>"])).toBeUndefined();
    for (const none of ["-", "a b", "a, b", "a limit 1", "<img>", 'facts."a']) {
      expect(sort({ field: "a", descending: true }).read([none])).toBeUndefined();
    }
  });
});

describe("an address", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("names what a browser would resolve as a parameter, and has what is long in the part that is not sent", () => {
    vi.stubGlobal("location", new URL("http://127.0.0.1/explorer/nodes?env=production&q=a"));
    expect(href("node", ["..", "facts"])).toBe("/explorer/nodes/~/facts?certname=..&env=production");
    expect(href("node", ["~"])).toBe("/explorer/nodes/~?env=production");
    const title = "/é".repeat(2000);
    const address = href("resource", [], { type: "File", title });
    expect(address.split("#")[0]).toBe("/explorer/resource?env=production&type=File");
    const changed = new URL(withParameters(address, { type: "Exec", tab: "nodes" }), location.href);
    expect(changed.search).toBe("?env=production&type=Exec&tab=nodes");
    expect(new URLSearchParams(changed.hash.slice(2)).get("title")).toBe(title);
  });
});
