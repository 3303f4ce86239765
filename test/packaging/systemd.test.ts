import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { census, workFolder } from "#test/cli/census.ts";
import { isLeftOut } from "#test/left-out.ts";

const systemd = fileURLToPath(new URL("../../packaging/systemd", import.meta.url));
const sample = join(systemd, "census.conf.d");
const unit = readFileSync(join(systemd, "census.service"), "utf8");
const folder = workFolder();

/** What the unit says of a directive, in its order. */
const said = (directive: string): string[] =>
  [...unit.matchAll(new RegExp(`^${directive}=(.*)$`, "gm"))].map(([, value = ""]) => value);

const analyze = (...words: string[]) => spawnSync("systemd-analyze", words, { encoding: "utf8" });

describe("packaging/systemd/census.service", () => {
  it.each<[directive: string, values: string[]]>([
    // Who it is, and what it may touch.
    ["User", ["census"]],
    ["StateDirectory", ["census"]],
    ["ProtectSystem", ["strict"]],
    ["ProtectHome", ["yes"]],
    ["PrivateTmp", ["yes"]],
    ["PrivateDevices", ["yes"]],
    ["NoNewPrivileges", ["yes"]],
    ["CapabilityBoundingSet", [""]],
    ["RestrictAddressFamilies", ["AF_INET AF_INET6 AF_UNIX"]],
    ["SystemCallFilter", ["@system-service", "~@privileged @resources"]],
    // Denied, the engine of JavaScript cannot start.
    ["MemoryDenyWriteExecute", ["no"]],
    // How it runs.
    ["Type", ["exec"]],
    ["ExecReload", ["/bin/kill -HUP $MAINPID"]],
    ["Restart", ["on-failure"]],
    ["RestartPreventExitStatus", ["2"]],
    ["RestartForceExitStatus", ["SIGHUP"]],
    ["TimeoutStopSec", ["15"]],
  ])("%s is %j", (directive, values) => {
    expect(said(directive)).toEqual(values);
  });

  const reason = analyze("--version").status === 0 ? undefined : "apt-get install systemd";

  it.skipIf(isLeftOut("the unit in systemd-analyze", reason, "CENSUS_WITHOUT_CLIENTS"))(
    "is valid, and exposes little",
    () => {
      const path = join(folder, "census.service");
      // A program that is there.
      writeFileSync(path, unit.replace("ExecStart=/usr/bin/census", "ExecStart=/usr/bin/env"));
      const { status, stderr } = analyze("verify", path);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const { stdout } = analyze("security", "--offline=true", "--no-pager", path);
      const exposure = Number(/Overall exposure level for census\.service: ([\d.]+)/.exec(stdout)?.[1]);
      expect(exposure).toBeLessThan(2);
    },
  );
});

describe("packaging/systemd/census.sysusers", () => {
  it("creates the user of the unit", () => {
    const rows = readFileSync(join(systemd, "census.sysusers"), "utf8").match(/^u\s+\S+/gm);
    expect(rows?.map((row) => row.split(/\s+/)[1])).toEqual(said("User"));
  });
});

describe("packaging/systemd/census.conf.d", () => {
  const files = readdirSync(sample);

  it("is the configuration that the unit starts with", () => {
    expect(said("ExecStart")).toEqual(["/usr/bin/census serve --config /etc/census/conf.d"]);
    expect(files.every((file) => file.endsWith(".ini"))).toBe(true);
  });

  it("is valid without changes", async () => {
    // A folder and a port that are free on any machine.
    const words = ["config", "--check", "--config", sample, "--data", join(folder, "data"), "--port", "0"];
    const { code, stdout, stderr } = await census(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toMatch(/^error/m);
  });

  it("comments out existing settings only, and no path that the unit cannot write to", async () => {
    const whole = join(folder, "whole");
    mkdirSync(whole);
    for (const file of files) {
      const text = readFileSync(join(sample, file), "utf8");
      writeFileSync(join(whole, file), text.replaceAll(/^#(?=[\w-]+ = )/gm, ""));
    }
    const { code, stdout } = await census(["config", "--config", whole, "--output", "json"]);
    expect(code).toBe(0);
    const rows = JSON.parse(stdout) as { section: string; setting: string; value: string | null; from: string }[];
    const written = rows.filter(({ setting }) => setting === "vardir" || setting === "access-log");
    expect(written.map(({ value }) => value)).toEqual(["/var/lib/census", "/var/log/census/access.log"]);
    // The unit makes these two.
    expect([said("StateDirectory"), said("LogsDirectory")]).toEqual([["census"], ["census"]]);
    const places = rows.filter(({ from }) => from.startsWith(whole));
    expect(places.length).toBeGreaterThanOrEqual(13);
  });
});
