import { stringify } from "csv-stringify/sync";
import { stringify as yaml } from "yaml";
import { isObject, type Json, type JsonObject, stringifyJson } from "../json.ts";
import { cellText } from "../output/cells.ts";
import type { InventoryFormatName } from "./format-names.ts";
import { groupsOf, type Host, hostsByGroup } from "./host.ts";

/** How nodes are reached. */
export interface Connection {
  /** Default: what the tool itself takes; of Prometheus the port of its node exporter. */
  readonly port?: number | undefined;
  readonly user?: string | undefined;
}

/** A text for another tool. */
export interface InventoryText {
  readonly text: string;
  /** Nodes that the format has no spelling for, and variables that it cannot have: `web-01: disks`. */
  readonly leftOut: readonly string[];
}

interface InventoryFormat {
  readonly contentType: string;
  readonly write: (hosts: readonly Host[], connection: Connection) => InventoryText;
}

/** How an inventory is written for each tool. */
export const inventoryFormats = {
  ansible: {
    contentType: "application/json;charset=utf-8",
    write: (hosts, connection) => whole(`${stringifyJson(ansible(hosts, connection))}\n`),
  },
  bolt: {
    contentType: "application/yaml;charset=utf-8",
    write: (hosts, connection) => ({
      text: yaml(plain(bolt(hosts, connection)), { lineWidth: 0 }),
      leftOut: hosts.flatMap(({ certname, variables }) =>
        [...variables].filter(([, value]) => namesPlugin(value)).map(([name]) => `${certname}: ${name}`),
      ),
    }),
  },
  "prometheus-sd": {
    contentType: "application/json;charset=utf-8",
    write: (hosts, connection) => whole(`${stringifyJson(prometheus(hosts, connection))}\n`),
  },
  ssh: { contentType: "text/plain;charset=utf-8", write: ssh },
  csv: { contentType: "text/csv;charset=utf-8", write: (hosts) => whole(csv(hosts)) },
} as const satisfies Readonly<Record<InventoryFormatName, InventoryFormat>>;

function whole(text: string): InventoryText {
  return { text, leftOut: [] };
}

/** What `ansible-inventory --list` reads from a script. Hosts without a group are in `ungrouped`. */
function ansible(hosts: readonly Host[], { port, user }: Connection): JsonObject {
  const groups = hostsByGroup(hosts);
  const hostvars = hosts.map(({ certname, address, variables }): [string, JsonObject] => [
    certname,
    {
      ...(address === undefined ? {} : { ansible_host: address }),
      ...(port === undefined ? {} : { ansible_port: port }),
      ...(user === undefined ? {} : { ansible_user: user }),
      ...Object.fromEntries([...variables].map(([name, value]) => [name, untemplated(value)])),
    },
  ]);
  const ungrouped = hosts.filter((host) => groupsOf(host).length === 0);
  return {
    _meta: { hostvars: Object.fromEntries(hostvars) },
    all: { children: [...groups.keys(), "ungrouped"] },
    ungrouped: { hosts: ungrouped.map(certnameOf) },
    ...Object.fromEntries([...groups].map(([name, members]) => [name, { hosts: members.map(certnameOf) }])),
  };
}

/** Ansible runs templates in variables, also those that a node wrote into a fact, unless they are marked as unsafe. */
function untemplated(value: Json): Json {
  if (typeof value === "string") return /\{[\{%#]/v.test(value) ? { __ansible_unsafe: value } : value;
  if (Array.isArray(value)) return value.map(untemplated);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, untemplated(one)]));
}

/** `inventory.yaml` of Bolt, version 2: targets with their variables, groups that name them. */
function bolt(hosts: readonly Host[], { port, user }: Connection): JsonObject {
  const at = port === undefined ? "" : `:${port}`;
  return {
    version: 2,
    ...(user === undefined ? {} : { config: { ssh: { user } } }),
    targets: hosts.map(({ certname, address, variables }) => {
      const vars = [...variables].filter(([, value]) => !namesPlugin(value));
      return {
        name: certname,
        uri: `${bracketed(address ?? certname)}${at}`,
        ...(vars.length === 0 ? {} : { vars: Object.fromEntries(vars) }),
      };
    }),
    groups: [...hostsByGroup(hosts)].map(([name, members]) => ({ name, targets: members.map(certnameOf) })),
  };
}

/** Bolt runs a plugin for each object with this key, wherever it is in an inventory. */
function namesPlugin(value: Json): boolean {
  if (Array.isArray(value)) return value.some(namesPlugin);
  return isObject(value) && (Object.hasOwn(value, "_plugin") || Object.values(value).some(namesPlugin));
}

/**
 * What Prometheus' HTTP service discovery reads: a target for each node, with what it is grouped by and its variables as
 * labels, and its classes between commas, as Prometheus writes lists.
 */
/** @param port default: that of the node exporter */
function prometheus(hosts: readonly Host[], { port = 9100 }: Connection): Json[] {
  return hosts.map(({ certname, address, labels, classes, variables }) => ({
    targets: [`${bracketed(address ?? certname)}:${port}`],
    labels: {
      certname,
      ...Object.fromEntries([...variables].map(([name, value]) => [name, cellText(value)])),
      ...Object.fromEntries(labels),
      ...(classes.length === 0 ? {} : { classes: `,${classes.join(",")},` }),
    },
  }));
}

/** Names that `ssh_config` takes as they are: no blank, no pattern, no comment. */
const plainName = /^[\w.:%@+~\-]+$/v;

function isPlain({ certname, address }: Host): boolean {
  return plainName.test(certname) && plainName.test(address ?? "-");
}

/** A part of `ssh_config`. */
function ssh(hosts: readonly Host[], { port, user }: Connection): InventoryText {
  const blocks = hosts.filter(isPlain).map((host) => {
    const groups = groupsOf(host);
    return [
      ...(groups.length === 0 ? [] : [`# ${groups.join(" ")}`]),
      `Host ${host.certname}`,
      ...(host.address === undefined ? [] : [`  HostName ${host.address}`]),
      ...(port === undefined ? [] : [`  Port ${port}`]),
      ...(user === undefined ? [] : [`  User ${user}`]),
    ].join("\n");
  });
  return {
    text: blocks.map((block) => `${block}\n`).join("\n"),
    leftOut: hosts.filter((host) => !isPlain(host)).map(certnameOf),
  };
}

function csv(hosts: readonly Host[]): string {
  const labels = namesOf(hosts, "labels");
  const variables = namesOf(hosts, "variables").filter((name) => !labels.includes(name));
  return stringify([
    ["certname", "address", ...labels, "classes", ...variables],
    ...hosts.map((host) => [
      host.certname,
      host.address ?? "",
      ...labels.map((name) => host.labels.get(name) ?? ""),
      host.classes.join(" "),
      ...variables.map((name) => cellText(host.variables.get(name))),
    ]),
  ]);
}

function namesOf(hosts: readonly Host[], part: "labels" | "variables"): string[] {
  return [...new Set(hosts.flatMap((host) => [...host[part].keys()]))];
}

function certnameOf({ certname }: Host): string {
  return certname;
}

/** An IPv6 address in brackets, before a port. */
function bracketed(address: string): string {
  return address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
}

/** Without the exact numbers of `parseJson`, which the writer of YAML does not know. */
function plain(value: Json): unknown {
  return JSON.parse(stringifyJson(value)) as unknown;
}
