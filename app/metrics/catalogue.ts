import type { Instrument, Registered, Registry } from "#storage/metrics/registry.ts";
import { instrumentBean } from "./instrument-beans.ts";
import type { MBean, MBeans, NamedBean } from "./mbean.ts";
import { canonicalName, type ObjectName } from "./object-name.ts";
import { processBeans } from "./process-beans.ts";
import type { ProcessFigures } from "./process-figures.ts";

/** Every instrument has both domains: ours, and the one that existing dashboards query. */
const PREFIXES = ["svc", "puppetlabs.puppetdb"] as const;

/** URLs that PuppetDB's documentation still names differently. */
const urlWords: readonly (readonly [word: string, url: string])[] = [
  ["commands", "/pdb/cmd/v1"],
  ["metrics", "/metrics/v2"],
  ["facts", "/pdb/query/v4/facts"],
  ["resources", "/pdb/query/v4/resources"],
];

/** Everything that `/metrics/v2` shows: the instruments there are at the moment, and the process itself. */
export class Catalogue implements MBeans {
  readonly #registry: Registry;
  /** The instruments that beans have been made for; instruments are only added or replaced. */
  readonly #shown = new Map<string, Instrument>();
  readonly #figures: ProcessFigures;
  readonly #beans = new Map<string, MBean>();
  readonly #aliases = new Map<string, MBean>();
  #sorted: readonly NamedBean[] | undefined;

  constructor(registry: Registry, figures: ProcessFigures) {
    this.#registry = registry;
    this.#figures = figures;
  }

  find(name: string): MBean | undefined {
    this.#catchUp();
    return this.#beans.get(name) ?? this.#aliases.get(name);
  }

  all(): readonly NamedBean[] {
    this.#catchUp();
    return (this.#sorted ??= [...this.#beans].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #catchUp(): void {
    if (this.#beans.size === 0) {
      for (const bean of processBeans(this.#figures)) this.#beans.set(canonicalName(bean.name), bean);
    }
    for (const registered of this.#registry) {
      const key = `${registered.group}:${registered.name}`;
      if (this.#shown.get(key) === registered.instrument) continue;
      this.#shown.set(key, registered.instrument);
      for (const prefix of PREFIXES) this.#show(`${prefix}.${registered.group}`, registered);
      this.#sorted = undefined;
    }
  }

  #show(domain: string, registered: Registered): void {
    for (const name of namesOf(registered)) {
      const bean = instrumentBean(named(domain, name), registered.instrument);
      this.#beans.set(canonicalName(bean.name), bean);
      for (const alias of aliasesOf(registered)) this.#aliases.set(canonicalName(named(domain, alias)), bean);
    }
  }
}

function named(domain: string, name: string): ObjectName {
  return { domain, properties: [["name", name]], open: false };
}

/** PuppetDB's names of the dead letter office repeat its domain; its own dashboard queries the short names. */
function namesOf({ group, name }: Registered): readonly string[] {
  return group === "dlo" ? [`puppetlabs.puppetdb.dlo.${name}`, name] : [name];
}

/** Spellings of the documents that can be read, though no list shows them. */
function aliasesOf({ group, name }: Registered): readonly string[] {
  if (group === "database") return [name.replace(".pool.", ".")];
  if (group !== "http") return [];
  return urlWords.filter(([, url]) => name.startsWith(`${url}.`)).map(([word, url]) => word + name.slice(url.length));
}
