import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { METADATA, tgz } from "#test/storage/archive/build.ts";
import { facts } from "../archives.ts";
import { census, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const [old, young, timeless] = ["old.tgz", "new.tgz", "timeless.tgz"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const [WEB, DB, GONE] = ["web-01.example.com", "db-01.example.com", "gone-01.example.com"];

async function archive(day: string, kernel: string, nodes: readonly string[]): Promise<Buffer> {
  const time = `2026-11-${day}T12:00:00.000Z`;
  return tgz([
    ["puppetdb-bak/export-metadata.json", METADATA.replace("2026-11-21T00:11:46.377Z", time)],
    ...nodes.map((node) => facts(node, `{"kernel":"${kernel}"}`, `2026-11-${day}T10:00:00.000Z`)),
  ]);
}

beforeAll(async () => {
  writeFileSync(old, await archive("13", "6.1", [WEB, GONE]));
  writeFileSync(young, await archive("20", "6.12", [WEB, DB]));
  writeFileSync(timeless, await tgz([["metadata.json", METADATA.replace("timestamp", "time")]]));
});

async function rows(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await census([...words, "--output", "json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const query = (extra = ""): string => `facts[certname, value] { name = "kernel" ${extra} order by certname }`;
const present = [
  { certname: DB, value: "6.12" },
  { certname: WEB, value: "6.12" },
];
const past = [
  { certname: GONE, value: "6.1" },
  { certname: WEB, value: "6.1" },
];
const changed = { certname: WEB, what: "kernel", before: "6.1", after: "6.12", from: "2026-11-20T10:00:00.000Z" };

describe("census open of several archives", () => {
  it.each([[[old, young]], [[young, old, "--no-cache"]]])(
    "%j has the newest state and the others as history",
    async (words) => {
      const server = await startServer(["open", ...words, "--port", "0", "--no-browser"]);
      try {
        const source = ["--url", server.url];
        expect(await rows("query", query(), ...source)).toStrictEqual(present);
        expect(await rows("query", query(), "--as-of", "2026-11-14", ...source)).toStrictEqual(past);
        expect(await rows("log", WEB, ...source)).toMatchObject([changed, { what: "facts" }]);
        const states = `catalog_changes[before, after, from] { node_state = "any" and what = "state" }`;
        expect(await rows("query", states, ...source)).toStrictEqual([
          { before: "active", after: "deactivated", from: "2026-11-20T12:00:00.000Z" },
        ]);
        const early = await census(["query", query(), "--as-of", "2026-11-13", ...source]);
        expect(early.stderr).toContain("the earliest time is 2026-11-13T12:00:00.000Z");
      } finally {
        await server.stop();
      }
    },
  );

  it("is cached apart from each of them", async () => {
    const listed = (await rows("cache", "list")) as readonly { archive: string; as_of: string; commands: number }[];
    expect(listed.map(({ archive, as_of, commands }) => ({ archive, as_of, commands }))).toStrictEqual([
      { archive: "old.tgz, new.tgz", as_of: "2026-11-20T12:00:00.000Z", commands: 4 },
    ]);
    expect(await rows("query", query(), "--archive", young)).toStrictEqual(present);
    const { stderr } = await census(["query", query(), "--as-of", "2026-11-14", "--archive", young]);
    expect(stderr).toContain("neither in archives without history");
    expect(await rows("query", query(), "--archive", old)).toStrictEqual(past);
  });

  it("needs the time of each", async () => {
    const { code, stderr } = await census(["open", old, timeless, "--port", "0", "--no-browser"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${timeless}: contains no export time, which the order of several archives needs`);
  });
});

describe("census import of several archives", () => {
  it("imports them in the order of their times, and what has changed is history", async () => {
    const data = ["--data", join(folder, "data"), "--now", "2026-11-21"];
    const { code, stdout, stderr } = await census(["import", young, old, ...data]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(/\w+\.tgz/g)).toStrictEqual(["old.tgz", "new.tgz"]);
    expect(await rows("query", query(), "--as-of", "2026-11-14", ...data)).toStrictEqual(past);
    expect(await rows("query", query(`and certname = "${WEB}"`), ...data)).toStrictEqual(present.slice(1));
    expect(await rows("log", WEB, ...data)).toMatchObject([changed, { what: "facts" }]);
  });

  it("needs a key to anonymize them alike", async () => {
    const { code, stderr } = await census(["import", old, young, "--anonymize", "low", "--data", join(folder, "none")]);
    expect(code).toBe(2);
    expect(stderr).toContain("--anonymize of several archives needs --salt-file");
  });
});
