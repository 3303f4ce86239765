/** What the pages of a population are about. */
export interface PageSubject {
  readonly certname: string;
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
  facts: () => "/explorer/facts",
  fact: () => "/explorer/fact?path=os.release.full",
  resources: () => "/explorer/resources",
  "resources of a type": () => "/explorer/resources?type=File",
  resource: () => "/explorer/resource?type=Class&title=Trust%3A%3AConfig",
  classes: () => "/explorer/classes",
  wall: () => "/explorer/wall",
  status: () => "/explorer/status",
} as const satisfies Readonly<Record<string, (subject: PageSubject) => string>>;

export type PageName = keyof typeof pages;

export const pageNames = Object.keys(pages) as PageName[];

/** The addresses of all pages by their names. */
export function subjectPages(subject: PageSubject): Record<PageName, string> {
  return Object.fromEntries(pageNames.map((page) => [page, pages[page](subject)])) as Record<PageName, string>;
}
