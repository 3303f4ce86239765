import type { PageKey } from "#app/explorer/pages/address/pages.ts";
import { json, rows } from "./rows.ts";

/** A page at an address that shows something of a store. */
export interface Place {
  readonly page: PageKey;
  /** Its address below the server's. */
  readonly path: string;
}

/** Something of a store that pages are about. */
interface Subjects {
  readonly certname: string;
  /** of a report */
  readonly hash: string;
  /** of an issue */
  readonly issue: string;
  /** in PQL's spelling */
  readonly factPath: string;
  readonly type: string;
  readonly title: string;
  readonly packageName: string;
  /** Another node, and another report, to compare with. */
  readonly otherCertname: string;
  readonly otherHash: string;
}

/** The tabs of a node. */
export const nodeTabs = ["facts", "catalog", "reports"] as const;

const segment = encodeURIComponent;

/** The addresses of each page, at least one: a page without any does not compile. */
const addresses: Readonly<Record<PageKey, (of: Subjects) => readonly string[]>> = {
  overview: () => ["/explorer", "/explorer/?last=7d"],
  issues: () => ["/explorer/issues?last=14d"],
  issue: ({ issue }) => [
    `/explorer/issues/${segment(issue)}?last=14d`,
    ...["share", "messages"].map((tab) => `/explorer/issues/${segment(issue)}?last=14d&tab=${tab}`),
  ],
  nodes: () => ["/explorer/nodes", "/explorer/nodes?share=&f=report_environment%3Dstaging"],
  node: ({ certname }) =>
    ["", ...nodeTabs.map((tab) => `/${tab}`), "/facts?fleet="].map(
      (tab) => `/explorer/nodes/${segment(certname)}${tab}`,
    ),
  graph: ({ certname, hash, type, title }) => [
    `/explorer/graph/${segment(certname)}?${new URLSearchParams({ res: `${type}[${title}]`, hops: "3", contains: "" }).toString()}`,
    `/explorer/graph/${segment(certname)}?${new URLSearchParams({ res: `${type}[${title}]`, report: hash }).toString()}`,
  ],
  reports: () => ["/explorer/reports"],
  report: ({ hash }) => [`/explorer/reports/${hash}`],
  runs: () => ["/explorer/runs", "/explorer/runs?last=7d"],
  "run-times": () => ["/explorer/run-times"],
  events: () => [
    "/explorer/events?last=7d",
    "/explorer/events?last=7d&by=message",
    "/explorer/events?last=7d&by=event&f=corrective_change%3Dtrue",
  ],
  facts: () => ["/explorer/facts", "/explorer/facts?open=os"],
  // Of versions, of numbers, and structured.
  fact: ({ factPath }) =>
    [factPath, "memory.system.total_bytes", "os"].flatMap((path) =>
      ["", "nodes"].map((tab) => `/explorer/fact?${new URLSearchParams({ path, tab }).toString()}`),
    ),
  resources: ({ type }) => ["/explorer/resources", `/explorer/resources?${new URLSearchParams({ type }).toString()}`],
  resource: ({ type, title }) => [
    `/explorer/resource?${new URLSearchParams({ type, title }).toString()}`,
    ...["nodes", "events", "share"].map(
      (tab) => `/explorer/resource?${new URLSearchParams({ type, title, last: "14d", tab }).toString()}`,
    ),
  ],
  classes: () => ["/explorer/classes"],
  packages: () => ["/explorer/packages"],
  package: ({ packageName: name }) =>
    ["", "nodes"].map((tab) => `/explorer/package?${new URLSearchParams({ name, older: "5", tab }).toString()}`),
  compare: ({ certname, otherCertname, hash, otherHash }) => [
    "/explorer/compare",
    `/explorer/compare?${new URLSearchParams({ left: certname, right: otherCertname, volatile: "" }).toString()}`,
    `/explorer/compare?${new URLSearchParams({ of: "reports", left: otherHash, right: hash }).toString()}`,
  ],
  query: () => [
    "/explorer/query",
    `/explorer/query#${new URLSearchParams({ lang: "pql", q: "nodes[certname]{ }" }).toString()}`,
  ],
  search: () => ["/explorer/search", "/explorer/search?q=chrony", "/explorer/search?q=debian&kind=fact"],
  wall: () => ["/explorer/wall"],
  status: () => ["/explorer/status"],
  help: () => ["/explorer/help"],
};

/** All pages at addresses about these subjects. */
export function placesOf(subjects: Subjects): Place[] {
  return (Object.keys(addresses) as PageKey[]).flatMap((page) =>
    addresses[page](subjects).map((path) => ({ page, path })),
  );
}

/** Subjects that no store has. */
export const unknownSubjects: Subjects = {
  certname: "no-such-node.example.com",
  hash: "0".repeat(40),
  issue: `v1-${"0".repeat(12)}`,
  factPath: "no.such.fact",
  type: "Nothing",
  title: "/no/such",
  packageName: "no-such-package",
  otherCertname: "no-other-node.example.com",
  otherHash: "1".repeat(40),
};

/** Subjects of a server that has failed reports, found by its interface of queries and not by the pages. */
export async function subjectsOf(url: string): Promise<Subjects> {
  const [report] = await rows<{ certname: string; hash: string }>(
    url,
    `reports[certname, hash]{ status = "failed" and certname in events[certname]{ status = "failure" } order by producer_timestamp desc, certname limit 1 }`,
  );
  const { certname = "", hash = "" } = report ?? {};
  const [event] = await rows<{ resource_type: string; resource_title: string }>(
    url,
    `events[resource_type, resource_title]{ certname = ${JSON.stringify(certname)} and status = "failure" limit 1 }`,
  );
  const [other] = await rows<{ certname: string; hash: string }>(
    url,
    `reports[certname, hash]{ !(certname = ${JSON.stringify(certname)}) order by producer_timestamp desc, certname limit 1 }`,
  );
  const [installed] = await rows<{ package_name: string }>(
    url,
    "package_inventory[package_name]{ order by package_name limit 1 }",
  );
  const { issues } = await json<{ issues: readonly { id: string }[] }>(`${url}/explorer/api/v1/issues?last=14d`);
  return {
    certname,
    hash,
    issue: issues[0]?.id ?? "",
    factPath: "os.release.full",
    type: event?.resource_type ?? "",
    title: event?.resource_title ?? "",
    packageName: installed?.package_name ?? "",
    otherCertname: other?.certname ?? "",
    otherHash: other?.hash ?? "",
  };
}
