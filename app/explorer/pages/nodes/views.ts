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
