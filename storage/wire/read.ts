import type { Json } from "../json.ts";
import { type Catalog, readCatalog } from "./catalog.ts";
import { type CatalogInputs, readCatalogInputs } from "./catalog-inputs.ts";
import { type CommandName, isProcessed } from "./commands.ts";
import { type Deactivation, readDeactivation } from "./deactivate.ts";
import { type Expiration, readExpiration } from "./expiration.ts";
import { type Facts, readFacts } from "./facts.ts";
import type { ReadContext } from "./payload.ts";
import { Problems, WireError } from "./problems.ts";
import { type Report, readReport } from "./report.ts";

/** A command's payload in the current format: checked, hashed, with times in microseconds and texts as they are stored. */
export type WireCommand =
  | { readonly command: "replace catalog"; readonly payload: Catalog }
  | { readonly command: "replace facts"; readonly payload: Facts }
  | { readonly command: "store report"; readonly payload: Report }
  | { readonly command: "deactivate node"; readonly payload: Deactivation }
  | { readonly command: "replace catalog inputs"; readonly payload: CatalogInputs }
  | { readonly command: "configure expiration"; readonly payload: Expiration };

export interface CommandInput {
  readonly command: CommandName;
  readonly version: number;
  /** from `parseJson`; not changed, but parts of it may be shared with the result */
  readonly payload: Json;
  /** the time of receipt */
  readonly received: Date;
  /** which facts to store, by top-level name (the blocklist); others are removed before hashing. Default: all */
  readonly keepFact?: ((name: string) => boolean) | undefined;
}

/**
 * Reads a command of any supported version (reference/commands.md §3).
 *
 * The order is: upgrade to the newest version, check, hash, clean. As in PuppetDB, hashes are computed from the payload
 * as sent; only the result has U+0000 and lone surrogates replaced. So later code need not handle either, and must not
 * hash again.
 * @throws WireError when the command can never be processed, with up to five reasons in the message
 */
export function readCommand(input: CommandInput): WireCommand {
  const { command, version } = input;
  if (!isProcessed(command, version)) throw new WireError(`Unsupported command ${command} version ${version}`);
  const context = { received: input.received, problems: new Problems(command, version) };
  return { command, payload: readers[command](input, context) } as WireCommand;
}

type Payload<N extends CommandName> = Extract<WireCommand, { command: N }>["payload"];

const readers: { readonly [N in CommandName]: (input: CommandInput, context: ReadContext) => Payload<N> } = {
  "replace catalog": ({ payload, version }, context) => readCatalog(payload, version, context),
  "replace facts": ({ payload, version, keepFact }, context) => readFacts(payload, version, context, keepFact),
  "store report": ({ payload, version }, context) => readReport(payload, version, context),
  "deactivate node": ({ payload, version }, context) => readDeactivation(payload, version, context),
  "replace catalog inputs": ({ payload }, context) => readCatalogInputs(payload, context),
  "configure expiration": ({ payload }, context) => readExpiration(payload, context),
};
