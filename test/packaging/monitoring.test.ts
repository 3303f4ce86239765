import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startServer, workFolder } from "#test/cli/census.ts";
import { isLeftOut } from "#test/left-out.ts";
import type { Running } from "#test/running.ts";

const root = resolve(import.meta.dirname, "../..");
const monitoring = join(root, "packaging/monitoring");
const rulesFile = join(monitoring, "census-rules.yaml");
const folder = workFolder();

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const rules = (parse(readFileSync(rulesFile, "utf8")) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(join(monitoring, "census-dashboard.json"), "utf8")) as Dashboard;
const page = readFileSync(join(root, "docs/monitoring.md"), "utf8");
const queries: [what: string, expr: string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [`the alert ${alert}`, expr]),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }): [string, string] => [`the panel ${title}`, expr]),
  ),
];

/** Metrics of a query: every name that is not a function, a label or a word of the language. */
const metricsOf = (expr: string): string[] => [
  ...new Set(expr.match(/\b(?:puppetdb|puppet|census|process|nodejs)_\w+/g)),
];

describe("queries of alerts and of the dashboard", () => {
  let server: Running;
  /** Follows it. */
  let copy: Running;
  let metrics = "";
  beforeAll(async () => {
    server = await startServer(["serve", "--data", join(folder, "data"), "--port", "0"]);
    const facts = {
      certname: "web-01",
      environment: "production",
      values: {},
      producer: "compiler",
      producer_timestamp: "2026-11-20T12:00:00Z",
    };
    const command = "command=replace_facts&version=5&certname=web-01";
    const stored = await fetch(`${server.url}/pdb/cmd/v1?${command}&secondsToWaitForCompletion=20`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(facts),
    });
    if (!stored.ok) throw new Error(await stored.text());
    await fetch(`${server.url}/pdb/query/v4/nodes`);
    metrics = await (await fetch(`${server.url}/metrics`)).text();
    copy = await startServer(["follow", server.url, "--port", "0", "--every", "1s"]);
    while (!metrics.includes("census_follow_behind_seconds{")) {
      metrics += await (await fetch(`${copy.url}/metrics`)).text();
      await pause(100);
    }
  });
  afterAll(async () => {
    await copy.stop();
    await server.stop();
  });

  it.each(queries)("%s uses metrics and labels that a server has", (_, expr) => {
    const names = metricsOf(expr);
    const series = metrics.split("\n").filter((line) => !line.startsWith("#"));
    expect(names.length + Number(expr.includes("up{"))).toBeGreaterThan(0);
    const missing = names.filter((name) => !series.some((line) => /^\w+/.exec(line)?.[0] === name));
    expect(missing).toEqual([]);
    const labels = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/, ?/));
    const given = new Set(["instance", "job"]);
    const own = series.filter((line) => names.some((name) => line.startsWith(`${name}{`))).join("\n");
    for (const label of labels.filter((one) => !given.has(one))) expect(own).toContain(`${label}="`);
  });
});

describe("docs/monitoring.md", () => {
  it("explains every alert", () => {
    const explained = [...page.matchAll(/^\| (\w+) \| .* \| .* \|$/gm)].map(([, name]) => name);
    for (const { alert } of rules) expect(explained).toContain(alert);
  });
});

const reason = spawnSync("promtool", ["--version"]).status === 0 ? undefined : "apt-get install prometheus";
const run = (...words: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync("promtool", words, { encoding: "utf8", cwd: monitoring });
  return { status, output: status === 0 ? "" : stdout + stderr };
};
const passed = { status: 0, output: "" };

describe.skipIf(isLeftOut("rules in promtool", reason, "CENSUS_WITHOUT_PACKAGERS"))("promtool", () => {
  it("accepts the configurations of docs/monitoring.md", () => {
    const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
    expect(examples).toHaveLength(2);
    for (const [index, text] of examples.entries()) {
      const path = join(folder, `prometheus-${index}.yaml`);
      // The certificates of the example do not exist here.
      writeFileSync(
        path,
        text
          .replaceAll("/etc/prometheus/rules", monitoring)
          .replaceAll(/\/etc\/prometheus\/census\/\w+\.pem/g, rulesFile),
      );
      expect(run("check", "config", path)).toEqual(passed);
    }
  });

  it("accepts the rules, and each alert fires only when it should", () => {
    expect(run("check", "rules", rulesFile)).toEqual(passed);
    expect(run("test", "rules", "census-rules.test.yaml")).toEqual(passed);
    const tested = readFileSync(join(monitoring, "census-rules.test.yaml"), "utf8");
    for (const { alert } of rules) expect(tested).toContain(`alertname: ${alert}`);
  });

  it("accepts the queries of the dashboard", () => {
    const path = join(folder, "dashboard.yaml");
    const recorded = queries.map(([, expr], index) => ({
      record: `query_${index}`,
      expr: expr.replaceAll("$__rate_interval", "5m"),
    }));
    writeFileSync(path, JSON.stringify({ groups: [{ name: "dashboard", rules: recorded }] }));
    expect(run("check", "rules", path)).toEqual(passed);
  });
});
