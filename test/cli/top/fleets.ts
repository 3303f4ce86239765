import type { Fleet, FleetNode, Issue } from "#cli/top/fleet.ts";
import { firstState, type State } from "#cli/top/state.ts";
import { step } from "#cli/top/keys.ts";

export const NOW = new Date("2026-11-20T12:00:00Z");

export function node(certname: string, changes: Partial<FleetNode> = {}): FleetNode {
  return {
    certname,
    state: "unchanged",
    environment: "production",
    report: "2026-11-20T11:45:00Z",
    hash: `hash of ${certname}`,
    ...changes,
  };
}

export function issue(what: string, certnames: readonly string[], changes: Partial<Issue> = {}): Issue {
  const since = { time: "2026-11-20T09:00:00Z", isOldest: false };
  return {
    id: `v1-${what}`,
    what,
    message: "it broke",
    sample: certnames[0] ?? "",
    place: { file: "/etc/puppetlabs/code/environments/production/modules/ntp/manifests/init.pp", line: 12 },
    class: "Ntp",
    since,
    nodes: certnames.map((certname) => ({ certname, since })),
    ...changes,
  };
}

export function fleet(changes: Partial<Fleet> = {}): Fleet {
  return {
    now: NOW,
    nodes: [
      node("app-1.example.com", { state: "failed" }),
      node("app-2.example.com", { state: "failed", report: "2026-11-20T11:50:00Z" }),
      node("db-1.example.com"),
      node("db-2.example.com", { state: "changed" }),
    ],
    issues: [
      issue("Service[ntp]", ["app-1.example.com", "app-2.example.com"]),
      issue("File[/etc/motd]", ["app-2.example.com"], { since: { time: "2026-11-18T09:00:00Z", isOldest: true } }),
    ],
    ...changes,
  };
}

export function state(changes: Partial<State> = {}): State {
  const start = firstState({ source: "site.tgz", fleet: fleet(), link: { kind: "still" }, rows: 24, columns: 80 });
  return { ...start, ...changes };
}

/** The state after keys, one after the other. */
export function after(start: State, ...keys: readonly string[]): State {
  return keys.reduce(step, start);
}
