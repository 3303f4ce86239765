import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { census, SAMPLE, startServer, workFolder } from "./census.ts";

const folder = workFolder();
const data = join(folder, "data");
const query = ["query", "nodes[certname]{ order by certname }"];

it("census backup copies the store of a running server or of a directory", async () => {
  expect((await census(["import", SAMPLE, "--data", data])).code).toBe(0);
  const own = await census([...query, "--data", data]);
  const [hot, cold] = [join(folder, "hot.duckdb"), join(folder, "cold.duckdb")];
  const server = await startServer(["serve", "--data", data, "--port", "0"]);
  try {
    const made = await census(["backup", hot, "--url", server.url]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toMatch(/^Backed up the store to \S+hot\.duckdb \(\d+\.\d MB\)\n$/);
    expect(statSync(hot).mode & 0o077).toBe(0);
    const before = readFileSync(hot);
    expect(await census(["backup", hot, "--url", server.url])).toEqual({
      code: 1,
      stdout: "",
      stderr: `census: ${hot}: already exists; choose another name\n`,
    });
    expect(readFileSync(hot).equals(before)).toBe(true);
    const locked = await census(["backup", cold, "--data", data]);
    expect(locked).toMatchObject({ code: 1, stdout: "" });
    expect(locked.stderr).toMatch(/is in use by another process/);
  } finally {
    expect(await server.stop()).toBe(0);
  }
  expect(await census(["backup", cold, "--data", data])).toMatchObject({ code: 0, stderr: "" });
  for (const copy of [hot, cold]) {
    const restored = join(folder, `restored-from-${copy === hot ? "hot" : "cold"}`);
    mkdirSync(restored);
    renameSync(copy, join(restored, "census.duckdb"));
    expect(await census([...query, "--data", restored])).toEqual(own);
  }
});

it("census backup leaves no file if there is no store", async () => {
  const file = join(folder, "none.duckdb");
  const server = await startServer(["serve", "--memory", "--port", "0"]);
  try {
    const refused = await census(["backup", file, "--url", server.url]);
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: `census: ${server.url}: backup failed: a store in memory cannot be backed up; export it instead (HTTP 400)\n`,
    });
  } finally {
    await server.stop();
  }
  expect(await census(["backup", file, "--data", join(folder, "nowhere")])).toMatchObject({ code: 1, stdout: "" });
  expect(await census(["backup", file, "--data", folder, "--url", "http://127.0.0.1:1"])).toMatchObject({ code: 2 });
  expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false);
});
