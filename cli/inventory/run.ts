import { type InventoryFormatName, inventoryFormatNames } from "#storage/inventory/format-names.ts";
import { inventoryFormats } from "#storage/inventory/formats.ts";
import { readHosts } from "#storage/inventory/read-hosts.ts";
import { UsageError } from "../errors.ts";
import { printWhyNothing } from "../names/why-nothing.ts";
import { readPort } from "../options.ts";
import { chooseSource } from "../sources/choice.ts";
import type { SourceArguments } from "../sources/options.ts";
import { rowReader } from "../sources/read-rows.ts";
import { withSource } from "../sources/source.ts";
import { stdout } from "../stdout.ts";

/** What a user says of an inventory. */
export interface InventoryArguments extends SourceArguments {
  readonly query?: string | undefined;
  readonly output?: InventoryFormatName | undefined;
  /** `none` alone: no groups. Empty: the usual ones. */
  readonly groupBy: readonly string[];
  readonly classes: readonly string[];
  readonly variables: readonly string[];
  readonly address?: string | undefined;
  readonly port?: string | undefined;
  readonly user?: string | undefined;
  readonly out?: string | undefined;
}

/** Writes the inventory to stdout or a file. Nodes that the format cannot name are named on stderr. */
export async function runInventory(args: InventoryArguments): Promise<void> {
  const { output: format, query, groupBy, classes, variables, address, user, out } = args;
  if (format === undefined) {
    throw new UsageError(`inventory: --output is missing; give one of ${inventoryFormatNames.join(", ")}`);
  }
  const port = args.port === undefined ? undefined : readPort(args.port);
  await withSource(chooseSource("inventory", args), undefined, async (source) => {
    const spec = { query, classes, variables, address, ...(groupBy.length === 0 ? {} : { groupBy }) };
    const hosts = await readHosts(rowReader(source), spec);
    if (hosts.length === 0 && query !== undefined) await printWhyNothing({ text: query, isSql: false }, source);
    const { text, leftOut } = inventoryFormats[format].write(hosts, { port, user });
    if (out === undefined) await stdout.write(text);
    else {
      const { writeTextAtomically } = await import("../output/atomic-file.ts");
      await writeTextAtomically(out, (output) => output.write(text));
    }
    for (const name of leftOut) {
      process.stderr.write(`left out: ${JSON.stringify(name)} cannot be written for ${format}\n`);
    }
  });
}
