import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, submitted } from "#test/fixture-store.ts";

let service: Served;

beforeAll(async () => {
  const store = await emptyStore();
  await submitted(
    store,
    a.facts("plain.example", { values: { ip: "fe80::1", note: "fine", disks: { sda: 1 } } }),
    a.facts("hostile.example", {
      values: { ip: "10.0.0.1\n  ProxyCommand sh", note: "{{ lookup('pipe', 'id') }}", disks: { _plugin: "exec" } },
    }),
    a.report("plain.example"),
    a.facts("gone.example"),
    a.deactivation("gone.example", "2026-11-20T23:00:00Z"),
  );
  service = await serve(store);
});
afterAll(() => service.close());

async function inventory(parameters: string): Promise<string> {
  const answer = await service.get(`/pdb/ext/v1/inventory?${parameters}`);
  expect(answer.status).toBe(200);
  return answer.text;
}

describe("the inventory over HTTP", () => {
  it("lists active nodes for Prometheus unless another format is named, IPv6 addresses in brackets", async () => {
    const targets = JSON.parse(await inventory("address=ip&port=9256&group=none")) as { targets: string[] }[];
    expect(targets).toEqual([
      { targets: ["10.0.0.1\n  ProxyCommand sh:9256"], labels: { certname: "hostile.example" } },
      { targets: ["[fe80::1]:9256"], labels: { certname: "plain.example" } },
    ]);
  });

  it("lets no fact run a template, a plugin or an option of the tool that reads it", async () => {
    const ansible = JSON.parse(await inventory("format=ansible&var=note")) as {
      _meta: { hostvars: Record<string, { note: unknown }> };
    };
    expect(ansible._meta.hostvars["hostile.example"]?.note).toEqual({ __ansible_unsafe: "{{ lookup('pipe', 'id') }}" });
    expect(ansible._meta.hostvars["plain.example"]?.note).toBe("fine");

    const bolt = parse(await inventory("format=bolt&var=disks&var=note")) as {
      targets: { name: string; vars: object }[];
    };
    expect(bolt.targets.map(({ name, vars }) => [name, vars])).toEqual([
      ["hostile.example", { note: "{{ lookup('pipe', 'id') }}" }],
      ["plain.example", { disks: { sda: 1 }, note: "fine" }],
    ]);

    expect(await inventory("format=ssh&address=ip&group=none")).toBe("Host plain.example\n  HostName fe80::1\n");
  });

  it.each<[parameters: string, message: string]>([
    ["format=nagios", 'format: "nagios" is none of ansible, bolt, prometheus-sd, ssh, csv'],
    ["format=csv&format=ssh", "'format' was given more than once"],
    ["port=http", 'port: a number from 0 to 65535, not "http"'],
    ["as_of=soon", "as_of"],
    ["as_of=2099-01-01T00:00:00Z", "as_of: 2099-01-01T00:00:00.000Z is in the future"],
    ["var=a%20b", 'var: "a b" is not a field'],
    ["limit=3", "Unsupported query parameter 'limit'"],
    ["query=nodes%5B", "PQL"],
    ["query=reports%5Bhash%5D%7B%7D", "query: its rows have no certname"],
  ])("refuses %s", async (parameters, message) => {
    const answer = await service.get(`/pdb/ext/v1/inventory?${parameters}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
    expect(service.faults).toEqual([]);
  });
});
