import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Running } from "#test/running.ts";
import { type ArchiveDocuments, archiveDocuments, certnamesOf } from "./archive-documents.ts";
import { census, SAMPLE, startServer } from "./census.ts";

interface Facts {
  readonly certname: string;
  readonly environment: string;
  readonly values: {
    readonly os: { readonly family: string; readonly name: string; readonly release: { readonly full: string } };
    readonly networking: { readonly ip: string };
    readonly mountpoints?: Readonly<Record<string, { readonly size_bytes?: number }>>;
  };
}

let documents: ArchiveDocuments;
let names: readonly string[];
let facts: ReadonlyMap<string, Facts>;
let server: Running;

beforeAll(async () => {
  documents = await archiveDocuments(SAMPLE);
  names = certnamesOf(documents).toSorted();
  facts = new Map((documents.facts as unknown as Facts[]).map((each) => [each.certname, each]));
  server = await startServer(["open", SAMPLE, "--no-browser", "--port", "0"]);
});
afterAll(() => server.stop());

async function inventory(...words: readonly string[]): Promise<string> {
  const run = await census(["inventory", ...words, "--archive", SAMPLE]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return run.stdout;
}

const lower = (text: string): string => text.toLowerCase();

/** The members of groups by a property of the facts. */
function groups(label: string, valueOf: (of: Facts) => string): Record<string, { hosts: string[] }> {
  const found: Record<string, { hosts: string[] }> = {};
  for (const name of names) {
    const of = facts.get(name);
    if (of !== undefined) (found[`${label}_${lower(valueOf(of))}`] ??= { hosts: [] }).hosts.push(name);
  }
  return found;
}

describe("census inventory", () => {
  it("lists groups and variables for Ansible", async () => {
    const text = await inventory("--format", "ansible", "--address", "networking.ip", "--var", "os.release.full");
    const expected = {
      ...groups("environment", (of) => of.environment),
      ...groups("os_family", (of) => of.values.os.family),
    };
    const { _meta: meta, all, ungrouped, ...listed } = JSON.parse(text) as Record<string, unknown>;
    expect(listed).toEqual(expected);
    expect(all).toEqual({ children: [...Object.keys(expected).sort(), "ungrouped"] });
    expect(ungrouped).toEqual({ hosts: names.filter((name) => !facts.has(name)) });
    const hostvars = names.map((name) => {
      const values = facts.get(name)?.values;
      return [
        name,
        values === undefined ? {} : { ansible_host: values.networking.ip, os_release_full: values.os.release.full },
      ];
    });
    expect(meta).toEqual({ hostvars: Object.fromEntries(hostvars) });
  });

  it("groups by classes, of the nodes of a query only", async () => {
    const query = 'inventory[certname] { facts.os.name = "Debian" }';
    const text = await inventory(query, "--format", "ansible", "--group", "none", "--group-class", "role::*");
    const wanted = names.filter((name) => facts.get(name)?.values.os.name === "Debian");
    const expected: Record<string, { hosts: string[] }> = {};
    for (const { certname, resources } of documents.catalogs.toSorted((a, b) => (a.certname < b.certname ? -1 : 1))) {
      if (!wanted.includes(certname)) continue;
      for (const { type, title } of resources) {
        if (type !== "Class" || !title.startsWith("Role::")) continue;
        (expected[`class_role_${lower(title.slice("Role::".length))}`] ??= { hosts: [] }).hosts.push(certname);
      }
    }
    const { _meta: meta, all: _all, ungrouped: _ungrouped, ...listed } = JSON.parse(text) as Record<string, unknown>;
    expect(listed).toEqual(expected);
    expect(Object.keys(expected).length).toBeGreaterThan(2);
    expect(Object.keys((meta as { hostvars: object }).hostvars)).toEqual(wanted);
  });

  it("lists targets for Bolt, in YAML", async () => {
    const path = 'mountpoints."/".size_bytes';
    const words = ["--format", "bolt", "--address", "networking.ip", "--port", "2222", "--user", "root", "--var", path];
    const {
      targets,
      groups: listed,
      ...rest
    } = parse(await inventory(...words)) as {
      targets: unknown;
      groups: { name: string; targets: string[] }[];
    };
    expect(rest).toEqual({ version: 2, config: { ssh: { user: "root" } } });
    expect(targets).toEqual(
      names.map((name) => {
        const values = facts.get(name)?.values;
        const size = values?.mountpoints?.["/"]?.size_bytes;
        const uri = `${values?.networking.ip ?? name}:2222`;
        return { name, uri, ...(size === undefined ? {} : { vars: { mountpoints_size_bytes: size } }) };
      }),
    );
    const expected = {
      ...groups("environment", (of) => of.environment),
      ...groups("os_family", (of) => of.values.os.family),
    };
    expect(Object.fromEntries(listed.map((group) => [group.name, { hosts: group.targets }]))).toEqual(expected);
  });

  it("lists targets for Prometheus, the same over HTTP and of a server", async () => {
    const text = await inventory("--format", "prometheus-sd", "--group", "environment", "--var", "os.name");
    expect(JSON.parse(text)).toEqual(
      names.map((name) => {
        const of = facts.get(name);
        const labels = of === undefined ? {} : { environment: of.environment, os_name: of.values.os.name };
        return { targets: [`${name}:9100`], labels: { certname: name, ...labels } };
      }),
    );
    const response = await fetch(`${server.url}/pdb/ext/v1/inventory?group=environment&var=os.name`);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.text()).toBe(text);
    const words = ["--format", "prometheus-sd", "--group", "environment", "--var", "os.name"];
    const remote = await census(["inventory", ...words, "--url", server.url]);
    expect(remote).toMatchObject({ code: 0, stdout: text });
  });

  it("writes hosts for ssh, and a table", async () => {
    const ssh = await inventory(
      "--format",
      "ssh",
      "--address",
      "networking.ip",
      "--user",
      "admin",
      "--group",
      "os.name",
    );
    const blocks = names.map((name) => {
      const values = facts.get(name)?.values;
      const group = values === undefined ? [] : [`# os_name_${lower(values.os.name)}`];
      const place = values === undefined ? [] : [`  HostName ${values.networking.ip}`];
      return [...group, `Host ${name}`, ...place, "  User admin", ""].join("\n");
    });
    expect(ssh).toBe(blocks.join("\n"));
    const csv = await inventory("--format", "csv", "--group", "os.name", "--var", "networking.ip");
    const lines = names.map((name) => {
      const values = facts.get(name)?.values;
      return [name, "", values?.os.name ?? "", "", values?.networking.ip ?? ""].join(",");
    });
    expect(csv).toBe(["certname,address,os_name,classes,networking_ip", ...lines, ""].join("\n"));
  });

  it.each<[words: string[], message: string]>([
    [["--format", "ansible", "--group", "os-family"], 'group: "os-family" is not a field'],
    [["--format", "ansible", "--var", "facts."], 'var: "facts." is not a field'],
    [["--format", "csv", "--address", "os..name"], 'address: "os..name" is not a field'],
    [["--format", "ssh", "--port", "70000"], "--port must be a number from 0 to 65535"],
    [["reports[hash] {}", "--format", "ssh"], "query: its rows have no certname"],
    [["nodes[certname] { nope = 1 }", "--format", "ssh"], "nope"],
    [["--format", "nagios"], "nagios"],
    [[], "--output is missing"],
  ])("refuses %j", async (words, message) => {
    const run = await census(["inventory", ...words, "--archive", SAMPLE]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(message);
  });
});
