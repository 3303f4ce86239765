import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dataDirectoryOf } from "#cli/configured.ts";
import { contactOf } from "#cli/sources/contact.ts";
import { createAuthority } from "#test/certificates.ts";
import { freePort } from "#test/free-port.ts";
import { census, SAMPLE, startServer, workFolder } from "./census.ts";

const folder = workFolder();

/** A configuration folder; each file by its name. */
function configuration(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const plain = configuration("plain", {
  "jetty.ini": "[jetty]\nhost = 0.0.0.0\nport = 9090\n[census]\nallow-plain-http = true\n",
  "global.ini": "[global]\nvardir = ../data\n",
});
const nothing = join(folder, "no-such-folder");
/** As the image for containers has it. */
const empty = configuration("empty", {});

describe("the service of this machine", () => {
  it.each<
    [what: string, args: object, env: NodeJS.ProcessEnv, installed: string, url: string, from: string | undefined]
  >([
    ["--config", { config: plain }, {}, nothing, "http://127.0.0.1:9090/", join(plain, "jetty.ini:3")],
    [
      "the variable for it",
      {},
      { CENSUS_CONFIG: plain },
      nothing,
      "http://127.0.0.1:9090/",
      join(plain, "jetty.ini:3"),
    ],
    ["the installed one", {}, {}, plain, "http://127.0.0.1:9090/", join(plain, "jetty.ini:3")],
    [
      "--config before CENSUS_URL",
      { config: plain },
      { CENSUS_URL: "http://x" },
      nothing,
      "http://127.0.0.1:9090/",
      join(plain, "jetty.ini:3"),
    ],
    [
      "the default one where the installed configuration is an empty directory",
      {},
      {},
      empty,
      "http://127.0.0.1:8080/",
      "default",
    ],
    ["CENSUS_URL before the installed one", {}, { CENSUS_URL: "http://x" }, plain, "http://x/", "CENSUS_URL"],
    ["--url before all", { url: "http://y", config: plain }, { CENSUS_URL: "http://x" }, plain, "http://y/", undefined],
    [
      "a variable of a setting",
      {},
      { CENSUS_JETTY_PORT: "9191" },
      nothing,
      "http://127.0.0.1:9191/",
      "CENSUS_JETTY_PORT",
    ],
  ])("is reached at the address that %s says", async (_what, args, env, installed, url, from) => {
    const contact = await contactOf(args, env, installed);
    expect({ url: contact.urls[0].href, from: contact.from }).toStrictEqual({ url, from });
  });

  it.each<[what: string, args: object, env: NodeJS.ProcessEnv, installed: string, value: string, from: string]>([
    ["--data before all", { data: "here", config: plain }, {}, plain, "here", "--data"],
    ["the configuration", { config: plain }, {}, nothing, join(folder, "data"), join(plain, "global.ini:2")],
    ["the installed configuration", {}, {}, plain, join(folder, "data"), join(plain, "global.ini:2")],
    ["the platform", {}, { XDG_DATA_HOME: "/share" }, nothing, "/share/census", "default"],
  ])("has the data directory that %s says", async (_what, args, env, installed, value, from) => {
    expect(await dataDirectoryOf(args, env, installed)).toMatchObject({ value, from });
  });

  it("is not found if the port is chosen at each start", async () => {
    const config = configuration("any-port", { "jetty.ini": "[jetty]\nport = 0\n" });
    await expect(contactOf({ config }, {}, nothing)).rejects.toThrow(/jetty\.ini:2: port 0 changes at each start/);
  });
});

describe("commands that read the configuration of the service", () => {
  it("find its port and its directory without an option", async () => {
    const port = await freePort();
    const data = join(folder, "moved");
    const files = { "jetty.ini": `[jetty]\nport = ${port}\n`, "global.ini": `[global]\nvardir = ${data}\n` };
    const config = configuration("moved.d", files);
    const imported = await census(["import", SAMPLE, "--config", config]);
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(data, "census.duckdb"))).toBe(true);

    const env = { CENSUS_CONFIG: config };
    const down = await census(["status", "--output", "table"], { env });
    expect(down.code).toBe(1);
    expect(down.stdout).toContain(`connection refused (address from ${join(config, "jetty.ini:2")})`);

    const server = await startServer(["serve", "--config", config]);
    try {
      const up = await census(["status"], { env });
      expect(up.code).toBe(0);
      expect(JSON.parse(up.stdout)).toMatchObject({
        url: `http://127.0.0.1:${port}`,
        state: "running",
        directory: { path: data },
      });
      const listed = await census(["nodes", "--limit", "1"], { env });
      expect(listed).toMatchObject({ code: 0, stderr: "" });
      const copy = join(folder, "copy.duckdb");
      expect(await census(["backup", copy, "--config", config])).toMatchObject({ code: 0, stderr: "" });
      expect(await census(["dead-letters", "list"], { env })).toMatchObject({ code: 0, stderr: "" });
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });

  it("check it, and start the service with it", async () => {
    const port = await freePort();
    const data = join(folder, "checked");
    const config = configuration("checked.d", {
      "jetty.ini": `[jetty]\nport = ${port}\n`,
      "global.ini": `[global]\nvardir = ${data}\n`,
    });
    const env = { CENSUS_CONFIG: config };
    const good = await census(["config", "--check", "--output", "table"], { env });
    expect(good.stdout).toContain(`configuration: ${config}: has been read\n`);
    const server = await startServer(["serve", "--accept-loss"], { env });
    expect(server.url).toBe(`http://127.0.0.1:${port}`);
    expect(existsSync(join(data, "census.duckdb"))).toBe(true);
    expect(await server.stop()).toBe(0);
    writeFileSync(join(config, "jetty.ini"), "nonsense = 1\n");
    expect(await census(["config", "--check"], { env })).toMatchObject({ code: 2 });
    expect(await census(["nodes"], { env })).toMatchObject({ code: 2, stdout: "" });
  });

  it("say how to go on where it cannot be read", async () => {
    const env = { CENSUS_CONFIG: join(folder, "missing.d") };
    const { code, stderr } = await census(["nodes"], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/missing\.d: cannot read .*; give the address of the server with --url/);
  });

  it("reach a service that speaks TLS alone, as the service itself", async () => {
    const authority = createAuthority("Site CA");
    // Its certificate names no address.
    const own = authority.issue({ name: "census.example.com", at: ["census.example.com"] });
    const port = await freePort();
    const config = configuration("tls.d", {
      "cert.pem": own.cert,
      "key.pem": own.key,
      "ca.pem": authority.cert,
      "jetty.ini": `[jetty]\nssl-host = 0.0.0.0\nssl-port = ${port}\nssl-cert = cert.pem\nssl-key = key.pem\nssl-ca-cert = ca.pem\n`,
      "global.ini": `[global]\nvardir = ${join(folder, "tls-data")}\n`,
    });
    const server = await startServer(["serve", "--config", config]);
    try {
      const { code, stdout } = await census(["status", "--config", config]);
      expect({ code, status: JSON.parse(stdout) as unknown }).toMatchObject({
        code: 0,
        status: { url: `https://127.0.0.1:${port}`, state: "running" },
      });
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });

  it.each<[words: string[], code: number, line: RegExp]>([
    [
      ["dead-letters", "list", "--config", plain],
      1,
      /data: not a data directory of a server \(data directory from \S+global\.ini:2\)$/,
    ],
    [["status", "--config", nothing], 1, /no-such-folder: cannot read the configuration: does not exist$/],
    [
      ["backup", "x.duckdb", "--config", plain, "--data", "d"],
      2,
      /backup: --data and --config cannot be used together$/,
    ],
  ])("%j shows the source of a value", async (words, code, line) => {
    const run = await census(words);
    expect(run).toMatchObject({ code, stdout: "" });
    expect(run.stderr.trimEnd()).toMatch(line);
  });
});
