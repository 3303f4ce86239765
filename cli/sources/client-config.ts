import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readNamedFile } from "#app/listeners/named-file.ts";
import { CensusError } from "#storage/errors.ts";
import { isObject, type Json, parseJson } from "#storage/json.ts";

/** The content of a configuration file of puppetdb_cli (`reference/archive.md §6`). */
export interface ClientConfig {
  /** The file, for messages. */
  readonly path: string;
  readonly urls: readonly string[];
  readonly cacert?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
}

/** The default paths: of the user, then of the machine. */
function defaultPaths(): string[] {
  const machine =
    process.platform === "win32"
      ? join(process.env["ProgramData"] ?? "C:\\ProgramData", "PuppetLabs", "client-tools", "puppetdb.conf")
      : "/etc/puppetlabs/client-tools/puppetdb.conf";
  return [join(homedir(), ".puppetlabs", "client-tools", "puppetdb.conf"), machine];
}

/**
 * The settings of puppetdb_cli; undefined where there are none.
 * @param named the file given by the user; it must exist
 * @throws CensusError "bad-file" naming the file and the error in it
 */
export async function readClientConfig(named?: string): Promise<ClientConfig | undefined> {
  const path = named ?? defaultPaths().find((candidate) => existsSync(candidate));
  if (path === undefined) return undefined;
  const text = await readNamedFile(named === undefined ? "configuration of puppetdb_cli" : "--client-config", path);
  const settings = section(path, text);
  const setting = (name: string): string | undefined => stringSetting(path, name, settings[name]);
  return {
    path,
    urls: urlsOf(path, settings["server_urls"]),
    cacert: setting("cacert"),
    cert: setting("cert"),
    key: setting("key"),
    token: setting("token-file"),
  };
}

function section(path: string, text: string): Readonly<Record<string, Json>> {
  const refuse = (what: string): CensusError =>
    new CensusError("bad-file", `${path}: ${what}; expected {"puppetdb": {"server_urls": […]}}`);
  let config: Json;
  try {
    config = parseJson(text);
  } catch (error) {
    throw refuse(`is not valid JSON: ${(error as Error).message}`);
  }
  const settings = isObject(config) ? (config["puppetdb"] ?? {}) : undefined;
  if (settings === undefined || !isObject(settings)) throw refuse("is not a configuration of puppetdb_cli");
  return settings;
}

function stringSetting(path: string, name: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new CensusError("bad-file", `${path}: ${name} must be a string`);
}

function urlsOf(path: string, value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  const given = Array.isArray(value) ? value : [value];
  return given.flatMap((url) => stringSetting(path, "server_urls", url)?.split(",") ?? []).map((url) => url.trim());
}
