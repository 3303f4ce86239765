import { type Json, type JsonObject, isObject, parseJson } from "../json.ts";
import { catalogUpgrades } from "./catalog.ts";
import { commands, type CommandName, isProcessed } from "./commands.ts";
import { factsUpgrades } from "./facts.ts";
import { WireError } from "./problems.ts";
import { reportUpgrades } from "./report-upgrades.ts";
import { upgrade, type Upgrades } from "./upgrade.ts";

/** The upgrades of commands that had earlier versions and occur in archives. */
const upgrades: Partial<Readonly<Record<CommandName, Upgrades>>> = {
  "replace catalog": catalogUpgrades,
  "replace facts": factsUpgrades,
  "store report": reportUpgrades,
};

/** A command of an archive, its payload from `parseJson`. */
export interface OldCommand {
  readonly command: Exclude<CommandName, "deactivate node">;
  readonly version: number;
  readonly payload: Json;
  /** the time for formats without one */
  readonly received: Date;
}

/**
 * The document of a command of any supported version in the newest one. Only checks that it is an object; a malformed
 * document stays malformed.
 * @throws WireError for an unsupported version, and for a payload that is not an object
 */
export function currentDocument({ command, version, payload, received }: OldCommand): JsonObject {
  if (!isProcessed(command, version)) throw new WireError(`Unsupported command ${command} version ${version}`);
  const sent = typeof payload === "string" && command === "replace catalog" ? unpacked(payload) : payload;
  const document = upgrade(sent, version, upgrades[command] ?? {}, received);
  if (isObject(document)) return document;
  throw new WireError(`${command} v${commands[command].newest}: the payload is not an object`);
}

/** A catalog may be a string with the object's JSON. */
function unpacked(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
