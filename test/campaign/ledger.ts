import { type CampaignCommand, transactionOf } from "./commands.ts";

/** What a client knows of a command that it has sent. */
export type Fate = "acknowledged" | "refused" | "unknown";

interface Entry {
  readonly command: Omit<CampaignCommand, "payload">;
  fate: Fate;
}

/** What a store holds of a campaign's commands. */
export interface Stored {
  /** Rows of reports. */
  readonly reports: readonly { readonly transaction: string; readonly certname: string; readonly events: number }[];
  /** By certname: the number that its facts hold. */
  readonly facts: ReadonlyMap<string, number>;
  /** By certname. */
  readonly catalogs: ReadonlyMap<
    string,
    { readonly number: number; readonly resources: number; readonly edges: number }
  >;
}

/** Commands that are not stored as they have to be. */
export interface Verdict {
  /** Acknowledged, and not there. */
  readonly lost: readonly string[];
  /** There more than once. */
  readonly doubled: readonly string[];
  /** There, but not as they were sent. */
  readonly damaged: readonly string[];
}

/** Everything that clients have sent, and what they were answered. */
export class Ledger {
  readonly #entries = new Map<number, Entry>();
  /** Numbers of facts and catalogs by node, ascending. */
  readonly #latest = new Map<string, number[]>();

  /** Notes a command before it is sent. */
  sent({ kind, certname, number, resources, edges, events }: CampaignCommand): void {
    // Without the payload, of which a long campaign has too many.
    const command = { kind, certname, number, resources, edges, events };
    if (this.#entries.has(command.number)) return;
    this.#entries.set(command.number, { command, fate: "unknown" });
    if (command.kind === "report") return;
    const key = `${command.kind} ${command.certname}`;
    this.#latest.set(key, [...(this.#latest.get(key) ?? []), command.number]);
  }

  answered(number: number, fate: Fate): void {
    const entry = this.#entries.get(number);
    // One that was sent twice counts as acknowledged as soon as one of the answers said so.
    if (entry !== undefined && entry.fate !== "acknowledged") entry.fate = fate;
  }

  /** How many commands have met this fate. */
  count(fate: Fate): number {
    return [...this.#entries.values()].filter((entry) => entry.fate === fate).length;
  }

  /** Whether a store holds what it has to, and nothing twice. */
  judge(stored: Stored): Verdict {
    const [lost, doubled, damaged]: [string[], string[], string[]] = [[], [], []];
    const rows = new Map<string, { certname: string; events: number }[]>();
    for (const { transaction, ...row } of stored.reports)
      rows.set(transaction, [...(rows.get(transaction) ?? []), row]);
    for (const { command, fate } of this.#entries.values()) {
      if (command.kind !== "report") continue;
      const name = `report ${command.number} of ${command.certname}`;
      const found = rows.get(transactionOf(command.number)) ?? [];
      if (found.length > 1) doubled.push(name);
      const [row] = found;
      if (row === undefined && fate === "acknowledged") lost.push(name);
      if (row !== undefined && (row.certname !== command.certname || row.events !== command.events)) {
        damaged.push(`${name}: ${row.events} events of ${row.certname} instead of ${command.events}`);
      }
    }
    for (const [key, numbers] of this.#latest) {
      const [kind = "", certname = ""] = key.split(" ");
      const number = kind === "facts" ? stored.facts.get(certname) : stored.catalogs.get(certname)?.number;
      const due = numbers.filter((each) => this.#entries.get(each)?.fate === "acknowledged").at(-1);
      if (due !== undefined && (number ?? -1) < due)
        lost.push(`${kind} ${due} of ${certname}: there is ${number ?? "none"}`);
      if (number !== undefined && !numbers.includes(number))
        damaged.push(`${kind} of ${certname}: ${number} was never sent`);
      if (kind === "catalog") damaged.push(...this.#judgeCatalog(certname, stored));
    }
    return { lost, doubled, damaged };
  }

  #judgeCatalog(certname: string, stored: Stored): string[] {
    const catalog = stored.catalogs.get(certname);
    const sent = catalog === undefined ? undefined : this.#entries.get(catalog.number)?.command;
    if (catalog === undefined || sent === undefined) return [];
    if (catalog.resources === sent.resources && catalog.edges === sent.edges) return [];
    const has = `${catalog.resources} resources and ${catalog.edges} edges`;
    return [`catalog ${catalog.number} of ${certname}: ${has} instead of ${sent.resources} and ${sent.edges}`];
  }
}
