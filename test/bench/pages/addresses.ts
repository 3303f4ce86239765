import { fetchText } from "../http.ts";

/** What the pages of a population are about. */
export interface PageSubject {
  readonly certname: string;
  /** Another node that failed, to compare with. */
  readonly other: string;
  /** Hash of a report that failed. */
  readonly report: string;
}

/** Addresses of the explorer's pages by their names. */
export const pages = {
  overview: () => "/explorer/",
  issues: () => "/explorer/issues",
  nodes: () => "/explorer/nodes",
  "nodes, filtered": () => "/explorer/nodes?f=state%3D%22failed%22",
  node: ({ certname }: PageSubject) => `/explorer/nodes/${certname}`,
  "node, facts": ({ certname }: PageSubject) => `/explorer/nodes/${certname}/facts`,
  "node, catalog": ({ certname }: PageSubject) => `/explorer/nodes/${certname}/catalog`,
  "node, reports": ({ certname }: PageSubject) => `/explorer/nodes/${certname}/reports`,
  reports: () => "/explorer/reports",
  report: ({ report }: PageSubject) => `/explorer/reports/${report}`,
  runs: () => "/explorer/runs",
  "run times": () => "/explorer/run-times",
  graph: ({ certname }: PageSubject) => `/explorer/graph/${certname}?res=Class%5BMain%5D`,
  events: () => "/explorer/events",
  facts: () => "/explorer/facts",
  fact: () => "/explorer/fact?path=os.release.full",
  resources: () => "/explorer/resources",
  "resources of a type": () => "/explorer/resources?type=File",
  resource: () => "/explorer/resource?type=Class&title=Trust%3A%3AConfig",
  classes: () => "/explorer/classes",
  packages: () => "/explorer/packages",
  package: () => "/explorer/package?name=openssl",
  compare: ({ certname, other }: PageSubject) => `/explorer/compare?left=${certname}&right=${other}`,
  search: () => "/explorer/search?q=openssl",
  wall: () => "/explorer/wall",
  status: () => "/explorer/status",
} as const satisfies Readonly<Record<string, (subject: PageSubject) => string>>;

export type PageName = keyof typeof pages;

export const pageNames = Object.keys(pages) as PageName[];

/** The addresses of all pages by their names. */
export function subjectPages(subject: PageSubject): Record<PageName, string> {
  return Object.fromEntries(pageNames.map((page) => [page, pages[page](subject)])) as Record<PageName, string>;
}

/** What the pages are about: nodes that failed, and the report of one. @throws Error if fewer than two failed */
export async function subjectOf(url: string): Promise<PageSubject> {
  const query = 'reports[certname, hash]{ status = "failed" and latest_report? = true limit 2 }';
  const text = await fetchText(`${url}/pdb/query/v4?${new URLSearchParams({ query }).toString()}`);
  const [report, other] = JSON.parse(text) as { certname: string; hash: string }[];
  if (report === undefined || other === undefined) throw new Error("the population has no two reports that failed");
  return { certname: report.certname, report: report.hash, other: other.certname };
}
