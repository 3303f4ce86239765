import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workFolder } from "#test/cli/census.ts";
import { members } from "../../../packaging/executable/inside/fetch-classes.ts";
import { lateFetch } from "../../../packaging/executable/late-fetch.ts";

describe("classes that stand for those of Node's fetch", () => {
  it.each(Object.keys(members) as (keyof typeof members)[])("%s has what Node's has", (name) => {
    const { methods, properties } = members[name];
    const own = Object.entries(Object.getOwnPropertyDescriptors(globalThis[name].prototype));
    const has = (what: "get" | "value"): string[] =>
      own.filter(([key, property]) => key !== "constructor" && property[what] !== undefined).map(([key]) => key);
    expect(methods.filter((key) => typeof key === "string").toSorted()).toEqual(has("value").toSorted());
    expect(properties.toSorted()).toEqual(has("get").toSorted());
    expect(methods.includes(Symbol.iterator)).toBe(Symbol.iterator in globalThis[name].prototype);
  });
});

describe("the HTTP framework with them", () => {
  let url = "";
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    const outfile = join(workFolder(), "server.cjs");
    await build({
      entryPoints: [join(import.meta.dirname, "late-fetch-server.ts")],
      bundle: true,
      platform: "node",
      // A script, as in the executable: as a module it would load all that Node's HTTP has.
      format: "cjs",
      outfile,
      plugins: [lateFetch],
    });
    const started = spawn(process.execPath, [outfile], { stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    const [port] = (await once(started.stdout, "data")) as [Buffer];
    url = `http://127.0.0.1:${port.toString().trim()}`;
  });

  afterAll(() => child?.kill());

  const ask = async (path: string, init: RequestInit = {}): Promise<readonly [number, string]> => {
    const answer = await fetch(`${url}${path}`, init);
    return [answer.status, await answer.text()];
  };

  it("answers without Node's fetch, and with it where that is asked for", async () => {
    const headers = { "x-asked": "this" };
    expect(await ask("/header", { headers })).toEqual([200, "this"]);
    expect(await ask("/text", { method: "POST", body: "as text" })).toEqual([200, "as text"]);
    expect(await ask("/loaded")).toEqual([200, "false"]);
    expect(await ask("/headers", { headers })).toEqual([200, `[["x-asked","this"]]`]);
    expect(await ask("/loaded")).toEqual([200, "true"]);
  });

  it.each<[path: string, init: RequestInit, status: number, text: string | RegExp]>([
    ["/json", {}, 200, /^{"answer":42}$/],
    ["/fault", {}, 418, /short and stout/],
    ["/nowhere", {}, 404, /Cannot find any route/],
    ["/set", {}, 200, "set"],
    ["/response", {}, 201, "of Node's class"],
    ["/stream", {}, 200, "in pieces"],
    ["/framework", {}, 200, "of the framework's"],
    ["/bytes", { method: "POST", body: "seven b" }, 200, "7"],
    ["/form", { method: "POST", body: new URLSearchParams({ a: "b" }) }, 200, "b"],
    ["/clone", { method: "POST", body: "twice" }, 200, "twice"],
  ])("answers %s", async (path, init, status, text) => {
    const [found, said] = await ask(path, init);
    expect(found).toBe(status);
    expect(said).toMatch(text);
  });

  it.each<[path: string, header: string, value: string]>([
    ["/loaded", "x-kind", "own"],
    ["/set", "x-set", "yes"],
    ["/response", "x-kind", "node"],
    ["/framework", "x-kind", "framework"],
    ["/json", "content-type", "application/json;charset=UTF-8"],
  ])("sends with %s its %s", async (path, header, value) => {
    expect((await fetch(`${url}${path}`)).headers.get(header)).toBe(value);
  });
});
