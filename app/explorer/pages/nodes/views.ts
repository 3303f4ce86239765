import { stored } from "../data/stored.ts";
import { literal } from "../pql/text.ts";

/** What the table of nodes shows, as parameters of the address. */
export interface View {
  readonly name: string;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
}

/** Parameters that make a view. */
export const viewParameters = ["nodes", "q", "f", "sort", "cols", "group"] as const;

const DAY_MS = 86_400_000;

/** Views that are always there. */
export function givenViews(now: Date): readonly View[] {
  const state = (key: string): View["parameters"] => ({ f: [`state=${JSON.stringify(key)}`] });
  const dayAgo = new Date(now.getTime() - DAY_MS);
  return [
    { name: "All nodes", parameters: {} },
    { name: "Failed", parameters: state("failed") },
    { name: "Hidden failures", parameters: state("hidden") },
    { name: "Silent", parameters: { ...state("silent"), sort: ["-report_timestamp"] } },
    { name: "Pending", parameters: state("pending") },
    { name: "Noop mode", parameters: { f: ["latest_report_noop=true"] } },
    { name: "Cached catalog", parameters: { f: ['cached_catalog_status!="not_used"', "cached_catalog_status!=null"] } },
    {
      name: "Catalog older than a day",
      parameters: {
        q: [`catalogs{ producer_timestamp < ${literal(dayAgo)} }`],
        sort: ["catalogs.producer_timestamp"],
      },
    },
    {
      name: "Inventory",
      parameters: {
        cols: [
          "certname,facts.os.name,facts.os.release.full,facts.networking.ip,facts.processors.count,facts.memory.system.total,facts.puppetversion",
        ],
      },
    },
    {
      name: "Deactivated and expired",
      parameters: { nodes: ["inactive"], cols: ["certname,state,report_timestamp,deactivated,expired"] },
    },
  ];
}

/** The view that an address shows. */
export function viewOf(search: string, name: string): View {
  const given = new URLSearchParams(search);
  const parameters = viewParameters.flatMap((key) => {
    const values = given.getAll(key);
    return values.length === 0 ? [] : [[key, values] as const];
  });
  return { name, parameters: Object.fromEntries(parameters) };
}

/** Whether two views show the same. */
export function isSameView(one: View, other: View): boolean {
  const written = ({ parameters }: View): string => JSON.stringify(viewParameters.map((key) => parameters[key] ?? []));
  return written(one) === written(other);
}

/** The parameters of a view as a query string. */
export function searchOf(parameters: View["parameters"]): string {
  const search = new URLSearchParams();
  for (const [key, values] of Object.entries(parameters)) for (const value of values) search.append(key, value);
  return search.toString();
}

/** Views that were saved in this browser. */
export const storedViews = stored<readonly View[]>("views.nodes", {
  read: (value) => (Array.isArray(value) ? value.flatMap((one: unknown) => readView(one) ?? []) : undefined),
  write: (views) => views.map(({ name, parameters }) => ({ name, search: searchOf(parameters) })),
  fallback: [],
});

function readView(one: unknown): View | undefined {
  if (typeof one !== "object" || one === null) return undefined;
  const { name, search } = one as { name?: unknown; search?: unknown };
  return typeof name === "string" && typeof search === "string" ? viewOf(search, name) : undefined;
}

/** The list of nodes that was looked at last. */
export interface NodeList {
  /** Path and query string of its page. */
  readonly address: string;
  /** The conditions of the nodes, and what they are sorted by, as the endpoint of rows has it. */
  readonly pql: string;
  readonly sort: readonly string[];
}

/** The list, in this tab, so that a node leads to the next one; without storage it is that of all nodes. */
export const lastList = stored<NodeList | undefined>(
  "list.nodes",
  {
    read: (value) => {
      if (typeof value !== "object" || value === null) return undefined;
      const { address, pql, sort } = value as Partial<NodeList>;
      if (typeof address !== "string" || typeof pql !== "string" || !Array.isArray(sort)) return undefined;
      return address.startsWith("/explorer/") ? { address, pql, sort: sort.map(String) } : undefined;
    },
    fallback: undefined,
  },
  { session: true },
);
