import type { ArgDef, ArgsDef, ParsedArgs } from "citty";

/** The part of help that lists an option; one without a group is about the work of its command. */
export type OptionGroup = "source" | "output" | "setting";

/** Properties of an option that citty does not read. */
export interface InGroup {
  readonly group: OptionGroup;
}

/** The values of declared options; undefined where one is not given. */
export type ArgumentsOf<T extends ArgsDef> = { readonly [Name in keyof T]?: ParsedArgs<T>[Name] | undefined };

/** An option with its name. */
export type NamedOption = readonly [name: string, declaration: ArgDef];

/** A heading of help with its options. */
export interface ListedOptions {
  readonly title: string;
  readonly options: readonly NamedOption[];
}

const order: readonly (OptionGroup | undefined)[] = [undefined, "source", "output", "setting"];

/** The options of a command in the order of its help: filters first, then the source, then the output. */
export function groupedOptions(options: readonly NamedOption[]): ListedOptions[] {
  const byGroup = Map.groupBy(options, ([, declaration]) => (declaration as Partial<InGroup>).group);
  if (byGroup.size === 1) return [{ title: "OPTIONS", options }];
  return order.flatMap((group) => {
    const members = byGroup.get(group);
    return members === undefined ? [] : [{ title: titleOf(group, members), options: members }];
  });
}

function titleOf(group: OptionGroup | undefined, members: readonly NamedOption[]): string {
  if (group === undefined) return "OPTIONS";
  if (group === "output") return "OUTPUT";
  if (group === "setting") return "SETTINGS";
  const names = new Set(members.map(([name]) => name));
  if (names.has("archive")) return "SOURCE";
  return [...(names.has("url") ? ["SERVER"] : []), ...(names.has("data") ? ["DATA DIRECTORY"] : [])].join(" OR ");
}
