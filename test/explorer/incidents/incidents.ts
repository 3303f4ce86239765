import { DOMAIN } from "../../../fixtures/vocabulary.ts";
import type { FixtureNode } from "../../../fixtures/node.ts";
import { Random } from "../../../fixtures/random.ts";
import type { JsonObject } from "#storage/json.ts";
import { addResource, type ManagedResource } from "./edit-catalog.ts";
import { addEvent, fallBack } from "./edit-report.ts";

/** What makes some nodes of a population different: each edits the documents of a node that it is about. */
export interface Incident {
  readonly facts?: (facts: JsonObject, node: FixtureNode) => void;
  readonly catalog?: (catalog: JsonObject, node: FixtureNode) => void;
  /** @param age 0 is the newest report of the node */
  readonly report?: (report: JsonObject, node: FixtureNode, age: number) => void;
}

/** Reports of a node since the recent incidents began: the last two. */
const RECENT = 2;

/** Whether a node is one of a share of all, another choice for each name. */
function isOneOf({ seed, index }: FixtureNode, name: string, share: number): boolean {
  return new Random(seed, index, "incident", name).chance(share);
}

function setPackage(facts: JsonObject, name: string, version: string, provider: string): void {
  const inventory = facts["package_inventory"] as string[][] | undefined;
  if (inventory === undefined) return;
  facts["package_inventory"] = [...inventory.filter(([other]) => other !== name), [name, version, provider]];
}

/** The server of which no agent gets a catalog. */
export const BROKEN_SERVER = `compiler-offshore.langsand.${DOMAIN}`;
export const MISSING_LIBRARY = "cannot load such file -- toml-rb";

const fallsBack = (node: FixtureNode): boolean => node.producer === BROKEN_SERVER;

/** A server that lacks a library compiles no catalogs, and its agents go on with those they have. */
const brokenServer: Incident = {
  report: (report, node, age) => {
    if (!fallsBack(node) || age >= RECENT) return;
    const reason = `Error 500 on SERVER: Server Error: Evaluation Error: Error while evaluating a Function Call, ${MISSING_LIBRARY} (file: /etc/puppetlabs/code/environments/${node.environment}/modules/profile/manifests/base.pp, line: 7, column: 12) on node ${node.certname}`;
    fallBack(report, `Could not retrieve catalog from remote server: ${reason}`);
  },
};

/** The version of openssl that the server of ssh was not built for. */
export const BROKEN_OPENSSL = "1:3.5.1-4.el9_6";

const sshd: ManagedResource = {
  type: "Service",
  title: "sshd",
  parameters: { ensure: "running", enable: true },
  holder: "Profile::Access",
  file: "profile/manifests/access.pp",
  line: 31,
};

/** Whether a node got the upgrade; nodes with another release get versions that work. */
export function isUpgraded(node: FixtureNode): boolean {
  const { os } = node;
  return !node.role.windows && os.name === "AlmaLinux" && os.major === "9" && isOneOf(node, "upgrade", 0.35);
}

/** An upgrade of openssl, on one release of one operating system, after which the server of ssh does not start. */
const brokenUpgrade: Incident = {
  facts: (facts, node) => {
    if (isUpgraded(node)) setPackage(facts, "openssl", BROKEN_OPENSSL, node.os.packaging);
  },
  catalog: (catalog, node) => {
    if (!node.role.windows) addResource(catalog, sshd);
  },
  report: (report, node, age) => {
    if (!isUpgraded(node) || fallsBack(node) || age >= RECENT) return;
    const log = `sshd[${node.index}]: OpenSSL version mismatch. Built against 30000070, you have 30500010`;
    const message = `change from 'stopped' to 'running' failed: Systemd start for sshd failed!\njournalctl log for sshd:\n${log}\n`;
    addEvent(report, {
      resource: sshd,
      status: "failure",
      property: "ensure",
      old: "stopped",
      new: "running",
      message,
    });
  },
};

/** The site whose data name a server that does not exist, and the server. */
export const WRONG_SITE = "ember-point";
export const WRONG_SERVER = `nfs-20.${WRONG_SITE}.${DOMAIN}`;

/** The directory that nodes of two roles mount from the server of their site. */
function handover({ site }: FixtureNode): ManagedResource {
  const server = site.name === WRONG_SITE ? WRONG_SERVER : `nfs-02.${site.name}.${DOMAIN}`;
  return {
    type: "Mount",
    title: "/srv/handover",
    parameters: { ensure: "mounted", fstype: "nfs4", device: `${server}:/handover` },
    holder: "Profile::Handover",
    file: "profile/manifests/handover.pp",
    line: 12,
  };
}

export function mountsWrongServer(node: FixtureNode): boolean {
  return mounts(node) && node.site.name === WRONG_SITE;
}

function mounts({ role }: FixtureNode): boolean {
  return role.name === "manifest" || role.name === "berth";
}

/** A wrong value in the Hiera data of one site. */
const wrongData: Incident = {
  catalog: (catalog, node) => {
    if (mounts(node)) addResource(catalog, handover(node));
  },
  report: (report, node, age) => {
    if (!mountsWrongServer(node) || fallsBack(node) || age >= RECENT) return;
    const reason = `Execution of '/usr/bin/mount /srv/handover' returned 32: mount.nfs4: Failed to resolve server ${WRONG_SERVER}: Name or service not known`;
    const message = `change from 'unmounted' to 'mounted' failed: Could not evaluate: ${reason}`;
    const values = { property: "ensure", old: "unmounted", new: "mounted" } as const;
    addEvent(report, { resource: handover(node), status: "failure", ...values, message });
  },
};

/** A file whose content is in no manifest that is looked at here. */
function managedFile(title: string, holder: string, file: string): ManagedResource {
  return { type: "File", title, parameters: { ensure: "file", mode: "0600" }, holder, file, line: 9 };
}

const agentSettings = managedFile(
  "/etc/puppetlabs/puppet/puppet.conf",
  "Profile::Puppet",
  "profile/manifests/puppet.pp",
);

/** How the run before the silence changed the settings of the agent. */
export const WRONG_SETTING = "+server = pupet.saltmarsh.example";

/** The last run of the node that stopped reporting made its agent look for a server that does not exist. */
const silentNode: Incident = {
  catalog: (catalog, node) => {
    if (!node.role.windows) addResource(catalog, agentSettings);
  },
  report: (report, node, age) => {
    if (!stopsReporting(node) || age > 0) return;
    addEvent(report, {
      resource: agentSettings,
      status: "success",
      ...contents("a4", "b5"),
      diff: difference(agentSettings.title, "-server = puppet.saltmarsh.example", WRONG_SETTING),
    });
  },
};

/** The only quiet node of the population. */
export function stopsReporting({ index }: FixtureNode): boolean {
  return index === QUIET_INDEX;
}

/** One with the trait `quiet` of the generated population. */
export const QUIET_INDEX = 53;

/** The program that writes to the file. */
export const MEDDLER = "remote-support-agent";

const sshSettings = managedFile("/etc/ssh/sshd_config", "Profile::Access", "profile/manifests/access.pp");
export const DRIFTING_FILE = sshSettings.title;

export function drifts(node: FixtureNode): boolean {
  return node.os.packaging === "apt" && isOneOf(node, "drift", 0.08);
}

/** A program changes a file, and each run changes it back. */
const drift: Incident = {
  facts: (facts, node) => {
    if (drifts(node)) setPackage(facts, MEDDLER, "4.2.0-1", node.os.packaging);
  },
  catalog: (catalog, node) => {
    if (!node.role.windows) addResource(catalog, sshSettings);
  },
  report: (report, node, age) => {
    if (!drifts(node) || (fallsBack(node) && age < RECENT)) return;
    addEvent(report, {
      resource: sshSettings,
      status: "success",
      isCorrective: true,
      ...contents("c6", "d7"),
      diff: difference(sshSettings.title, "-PermitRootLogin yes", "+PermitRootLogin no"),
    });
  },
};

/** A change of content, by the first digits of two checksums. */
function contents(before: string, after: string): { property: string; old: string; new: string; message: string } {
  const [old, now] = [before, after].map((digits) => `{sha256}${digits.repeat(32)}`) as [string, string];
  return { property: "content", old, new: now, message: `content changed '${old}' to '${now}'` };
}

function difference(title: string, ...lines: readonly string[]): string {
  return `\n--- ${title}\t2026-11-20 09:02:11.000000000 +0000\n+++ /tmp/puppet-file20261120-900-a1b2c3\t2026-11-20 09:30:11.000000000 +0000\n@@ -4,1 +4,1 @@\n${lines.join("\n")}\n`;
}

/** Those before come first: a run without a new catalog does nothing else. */
export const incidents: readonly Incident[] = [brokenServer, brokenUpgrade, wrongData, silentNode, drift];
