import type { CatalogEdge, CatalogResource } from "#fixtures/catalog-draft.ts";
import { type FixtureCommand, populationCommands } from "#fixtures/population.ts";
import { Random } from "#fixtures/random.ts";
import type { JsonObject } from "#storage/json.ts";

/** What the clocks of the servers show, and when everything happened that is sent to them. */
export const NOW = "2026-11-21T00:00:00Z";
const START = Date.parse("2026-11-20T12:00:00Z");

/** A command of a campaign, and how it is recognised when it is stored. */
export interface CampaignCommand {
  readonly kind: "facts" | "catalog" | "report";
  readonly certname: string;
  /** Unique in the campaign and ascending: later commands of a node have higher ones. */
  readonly number: number;
  /** Of a catalog. */
  readonly resources: number;
  readonly edges: number;
  /** Of a report. */
  readonly events: number;
  readonly payload: string;
}

/** The wire format that commands are sent in. */
export const wire = {
  facts: { command: "replace_facts", version: 5 },
  catalog: { command: "replace_catalog", version: 9 },
  report: { command: "store_report", version: 8 },
} as const satisfies Record<CampaignCommand["kind"], { command: string; version: number }>;

/** The transaction of a numbered report. */
export function transactionOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** Makes commands out of those of a generated population: of real size and content, each of them different. */
export class CommandMaker {
  readonly #templates: Readonly<Record<CampaignCommand["kind"], readonly FixtureCommand[]>>;

  /**
   * @param resources in a catalog, approximately
   * @param factLeaves in a fact set, approximately
   */
  constructor(seed: number, resources = 40, factLeaves = 80) {
    const all = [
      ...populationCommands({
        nodes: 16,
        seed,
        reportsPerNode: 3,
        baseTime: new Date(START).toISOString(),
        factLeaves,
        resources,
      }),
    ];
    const of = (command: string): FixtureCommand[] => all.filter((each) => each.command === command);
    this.#templates = { facts: of("replace facts"), catalog: of("replace catalog"), report: of("store report") };
  }

  /** The command with this number: always the same. */
  make(kind: CampaignCommand["kind"], certname: string, number: number): CampaignCommand {
    const random = new Random("campaign", kind, number);
    const { payload } = random.pick(this.#templates[kind]);
    const common = { ...payload, certname, producer_timestamp: new Date(START + number).toISOString() };
    const { content, ...counts } = makers[kind](common, number, random);
    const none = { resources: 0, edges: 0, events: 0 };
    return { kind, certname, number, ...none, ...counts, payload: JSON.stringify(content) };
  }
}

type ReportResource = JsonObject & { skipped: boolean; events: JsonObject[] };

interface Made {
  readonly content: JsonObject;
  readonly resources?: number;
  readonly edges?: number;
  readonly events?: number;
}

const makers: Readonly<Record<CampaignCommand["kind"], (payload: JsonObject, number: number, random: Random) => Made>> =
  {
    facts: (payload, number) => ({ content: { ...payload, values: { ...(payload["values"] as JsonObject), number } } }),
    catalog: (payload, number, random) => {
      const resources = [...(payload["resources"] as CatalogResource[])];
      const edges = [...(payload["edges"] as CatalogEdge[])];
      const [first] = resources;
      if (first === undefined) throw new Error("a catalog of the population has no resources");
      for (let index = random.integer(1, 4); index > 0; index--) {
        const title = `/campaign/${number}/${index}`;
        resources.push({
          type: "File",
          title,
          exported: false,
          tags: ["file"],
          parameters: { content: random.hex(200) },
        });
        const source = { type: first.type, title: first.title };
        edges.push({ source, target: { type: "File", title }, relationship: "contains" });
      }
      const content = {
        ...payload,
        version: String(number),
        transaction_uuid: transactionOf(number),
        resources,
        edges,
      };
      return { content, resources: resources.length, edges: edges.length };
    },
    report: (payload, number) => {
      const time = new Date(START + number).toISOString();
      // Events of days long past would be left out.
      const resources = (payload["resources"] as ReportResource[]).map((resource) => ({
        ...resource,
        timestamp: time,
        events: resource.events.map((event) => ({ ...event, timestamp: time })),
      }));
      const content = {
        ...payload,
        // Queries leave out reports of other types unless they say otherwise.
        type: "agent",
        transaction_uuid: transactionOf(number),
        configuration_version: String(number),
        start_time: time,
        end_time: time,
        resources,
      };
      // A skipped resource has one event, which the store makes.
      return {
        content,
        events: resources.reduce((sum, { skipped, events }) => sum + (skipped ? 1 : events.length), 0),
      };
    },
  };
