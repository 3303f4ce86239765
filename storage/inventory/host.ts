import type { Json } from "../json.ts";

/** A node as other tools address it. */
export interface Host {
  readonly certname: string;
  /** Of the fact that was chosen as address; absent: none was chosen, or the node has none. */
  readonly address?: string;
  /** What it is grouped by, by label: `os_family` → `Debian`. */
  readonly labels: ReadonlyMap<string, string>;
  /** The classes of its catalog that were chosen. */
  readonly classes: readonly string[];
  /** Values by name: `os_release_full`. */
  readonly variables: ReadonlyMap<string, Json>;
}

/** The name of a group, of the characters that all tools accept: `os_family_debian`. */
export function groupName(label: string, value: string): string {
  return `${label}_${value}`.toLowerCase().replace(/\W+/g, "_");
}

/** The groups of a host, each once. Values that differ only in capitals or punctuation are one group. */
export function groupsOf({ labels, classes }: Host): string[] {
  const names = [
    ...[...labels].map(([label, value]) => groupName(label, value)),
    ...classes.map((name) => groupName("class", name)),
  ];
  return [...new Set(names)];
}

/** The hosts of each group, by the name of the group. */
export function hostsByGroup(hosts: readonly Host[]): Map<string, Host[]> {
  const groups = new Map<string, Host[]>();
  for (const host of hosts) {
    for (const name of groupsOf(host)) {
      const members = groups.get(name);
      if (members === undefined) groups.set(name, [host]);
      else members.push(host);
    }
  }
  return new Map([...groups].sort(([one], [other]) => (one < other ? -1 : 1)));
}
