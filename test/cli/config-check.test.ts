import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAuthority, hoursFromNow } from "#test/certificates.ts";
import { census, startServer, workFolder } from "./census.ts";

const folder = workFolder();
const year = hoursFromNow(24 * 365);
const authority = createAuthority("Site CA", year);
const own = authority.issue({ name: "census.example.com", until: year });

function configuration(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text, { mode: 0o600 });
  return path;
}

const global = `[global]\nvardir = ${join(folder, "data")}\n`;
const tls = "[jetty]\nport = 0\nssl-port = 0\nssl-cert = cert.pem\nssl-key = key.pem\nssl-ca-cert = ca.pem\n";
const sound = configuration("sound", {
  "global.ini": global,
  "database.ini": "[database]\npassword = secret\n",
  "jetty.ini": tls,
  "cert.pem": own.cert,
  "key.pem": own.key,
  "ca.pem": authority.cert,
});
const broken = configuration("broken", { "global.ini": global, "jetty.ini": tls, "cert.pem": own.cert });
const wrong = configuration("wrong", { "jetty.ini": "[jetty]\nport = http\n" });

interface Outcome {
  readonly level: string;
  readonly check: string;
  readonly where: string | null;
  readonly what: string;
  readonly remedy: string | null;
}

describe("census config --check", () => {
  it("reports what it checked and what is ignored for a valid configuration, and exits with 0", async () => {
    const { code, stdout, stderr } = await census(["config", "--check", "--config", sound]);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
    const ignored = `ok       setting: ${join(sound, "database.ini:2")}: [database] password: ignored: `;
    expect(stdout).toContain(ignored);
    expect(stdout).toMatch(/^ok {7}certificate: .*jetty\.ini:4: \[jetty\] ssl-cert: .* is valid until /m);
    expect(stdout).toMatch(/^ok {7}key: .* is the key of the certificate in ssl-cert$/m);
    expect(stdout).toMatch(/\nConfiguration (?:OK|has 1 warning)\.\n$/);
    expect(stdout).not.toContain("secret");
  });

  it("reports each error with its place and a remedy, and exits with 1 if serve would fail", async () => {
    const { code, stdout } = await census(["config", "--check", "--config", broken, "--output", "json"]);
    expect(code).toBe(1);
    const errors = (JSON.parse(stdout) as Outcome[]).filter(({ level }) => level === "error");
    expect(errors).toStrictEqual([
      {
        level: "error",
        check: "key",
        where: `${join(broken, "jetty.ini:5")}: [jetty] ssl-key`,
        what: `${join(broken, "key.pem")} does not exist`,
        remedy: "create it, or correct the setting",
      },
      {
        level: "error",
        check: "authority",
        where: `${join(broken, "jetty.ini:6")}: [jetty] ssl-ca-cert`,
        what: `${join(broken, "ca.pem")} does not exist`,
        remedy: "create it, or correct the setting",
      },
    ]);
    const text = await census(["config", "--check", "--config", broken]);
    expect(text.stdout).toContain("\n         fix: create it, or correct the setting\n");
    expect(text.stdout).toMatch(/\nConfiguration has 2 errors(?: and 1 warning)?\.\n$/);
    const served = await census(["serve", "--memory", "--config", broken]);
    expect(served.code).toBe(1);
    expect(served.stderr).toMatch(/^census: /);
  });

  it("checks the rest where a setting cannot be understood", async () => {
    const config = configuration("both", {
      "global.ini": global,
      "jetty.ini": tls.replace("port = 0", "port = http"),
      "cert.pem": own.cert,
      "key.pem": own.key,
    });
    const { code, stdout, stderr } = await census(["config", "--check", "--config", config]);
    expect(code).toBe(2);
    expect(stderr).toContain("jetty.ini:2: [jetty] port must be a number");
    expect(stdout).toContain("ca.pem does not exist");
    expect(stdout).not.toContain(" port: ");
    const json = await census(["config", "--check", "--config", config, "--output", "json"]);
    expect(json.code).toBe(2);
    expect((JSON.parse(json.stdout) as Outcome[]).filter(({ level }) => level === "error")).toHaveLength(2);
  });

  it("recognises the service itself on its port", async () => {
    const server = await startServer(["serve", "--memory", "--port", "0"]);
    const { port } = new URL(server.url);
    try {
      const run = await census(["config", "--check", "--port", port, "--output", "json"]);
      const found = (JSON.parse(run.stdout) as Outcome[]).find(({ check }) => check === "port");
      // Elsewhere nothing says whose port it is.
      expect(found?.level).toBe(process.platform === "linux" ? "warning" : "error");
      const holder = process.platform === "linux" ? "census (PID " : "";
      expect(found?.what).toContain(`127.0.0.1:${port} is in use by ${holder}`);
    } finally {
      await server.stop();
    }
  });

  it("checks the files of a shared log, without its password and without connecting", async () => {
    const address = "postgresql://census:hidden@db.example.com/census_log?sslrootcert=ROOT&sslkey=KEY";
    const config = configuration("shared", {
      "global.ini": `${global}[jetty]\nport = 0\n`,
      "root.pem": authority.cert,
    });
    const path = (name: string): string => join(config, name);
    writeFileSync(path("password"), "hidden\n", { mode: 0o604 });
    const named = address.replace("ROOT", path("root.pem")).replace("KEY", path("key.pem"));
    const words = ["--command-log", named, "--command-log-password-file", path("password"), "--output", "json"];
    const { code, stdout } = await census(["config", "--check", "--config", config, ...words]);
    const found = (JSON.parse(stdout) as Outcome[]).filter(({ check }) => check === "command log");
    expect({ code, found: found.map(({ level, what }) => [level, what]) }).toEqual({
      code: 1,
      found: [
        ["ok", "postgresql://db.example.com:5432/census_log is a valid address (not connected to)"],
        process.platform === "win32"
          ? ["ok", `${path("password")} can be read`]
          : ["warning", `${path("password")} has mode 0604: other users can read it`],
        ["ok", `${path("root.pem")} can be read`],
        ["error", `${path("key.pem")} does not exist`],
      ],
    });
    expect(stdout).not.toContain("hidden");
  });

  it("exits with 2 for invalid settings, in JSON as well", async () => {
    const { code, stdout } = await census(["config", "--check", "--config", wrong, "--output", "json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject([{ level: "error", check: "setting" }]);
  });

  it.each([
    [["--check", "--as-user", "no-such-user"], '--as-user: unknown user "no-such-user"'],
    [["--as-user", "root"], "config: --as-user needs --check"],
  ])("%j is refused", async (words, line) => {
    expect(await census(["config", ...words])).toStrictEqual({ code: 2, stdout: "", stderr: `census: ${line}\n` });
  });
});
