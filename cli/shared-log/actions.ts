import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join as joinPath } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CensusError } from "#storage/errors.ts";
import { positionIn } from "#storage/queue/open.ts";
import { checkSettings } from "#storage/queue/replicated/membership.ts";
import type { FingerprintRow } from "#storage/queue/replicated/registry.ts";
import { differencesOf } from "#storage/queue/replicated/servers.ts";
import { databaseFile } from "#storage/store-database.ts";
import { systemClock } from "#storage/time.ts";
import { backUpServer } from "../backup.ts";
import { isConfirmed } from "../confirm.ts";
import { UsageError } from "../errors.ts";
import { actAsOwner } from "../owner.ts";
import { sharedSettings } from "../shared-settings.ts";
import type { ServiceArguments } from "../sources/contact-options.ts";
import type { OpenedLog } from "./open.ts";
import { statusText, verificationText } from "./texts.ts";

/** What an action prints. */
interface Result {
  /** Exit code; default: 0. */
  readonly code?: number;
  readonly text: string;
  readonly json: unknown;
}

interface ActionArguments extends ServiceArguments {
  readonly name?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly seconds: number;
}

/** Seconds without a word from a server after which it does not count as running. */
const SILENT = 30;

/** The log and its servers; exit code 1 if one of them is silent or has a problem. */
export async function status({ log: operated }: OpenedLog): Promise<Result> {
  const { servers, ...log } = await operated.figures();
  const described = servers.map(({ name, version, position, problem, silence }) => ({
    name,
    version,
    position,
    behind: log.head - position,
    seen_seconds_ago: Math.round(silence * 10) / 10,
    running: silence <= SILENT,
    problem,
  }));
  const json = {
    address: operated.place,
    log: log.identity,
    head: log.head,
    not_kept_through: log.forgotten,
    days: log.days,
    bytes: log.bytes,
    synchronous: log.isSynchronous,
    settings: log.settings,
    servers: described,
  };
  const isWell = described.every(({ running, problem }) => running && problem === null);
  return { code: isWell ? 0 : 1, text: statusText({ ...json, commits: log.commits }), json };
}

/** Creates the log. */
export async function create({ log }: OpenedLog): Promise<Result> {
  const identity = await log.create();
  return {
    text: `Created the command log ${identity} in ${log.place}\n`,
    json: { address: log.place, log: identity },
  };
}

/** Begins this machine's data directory with a copy of a server that follows the log. */
export async function join({ log, directory, settings }: OpenedLog, args: ActionArguments): Promise<Result> {
  const { url } = args;
  if (url === undefined) throw new UsageError("command-log: join needs --url of a server that follows the log");
  const { identity, head, settings: agreed } = await log.figures();
  checkSettings({ settings: agreed }, sharedSettings(settings));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = joinPath(directory, databaseFile);
  if (existsSync(file)) {
    throw new CensusError("bad-file", `${directory}: has data already; move it aside, or start the server`);
  }
  actAsOwner(directory);
  const bytes = await backUpServer(args, file);
  try {
    const position = await positionIn(file);
    if (position?.log !== identity) {
      throw new CensusError("bad-file", `${url}: does not follow the log ${identity}`);
    }
    await log.checkPosition(position);
    const text = `Copied the store of ${url} to ${file} (${(bytes / 1e6).toFixed(1)} MB), which has stored the log up to ${position.id} of ${head}\n`;
    return { text, json: { file, bytes, position: position.id, head } };
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** Lets all running servers say what they have stored at one position; exit code 1 if they differ or one says nothing. */
export async function verify({ log }: OpenedLog, { seconds }: ActionArguments): Promise<Result> {
  const expected = (await log.servers()).filter(({ silence }) => silence <= SILENT).map(({ name }) => name);
  if (expected.length === 0) throw new CensusError("unavailable", "no server that follows the log runs");
  const position = await log.requestComparison(systemClock.now());
  let found: readonly FingerprintRow[] = [];
  const isMissing = (name: string): boolean => !found.some(({ server }) => server === name);
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(250)) {
    found = await log.fingerprintsAt(position);
    if (!expected.some(isMissing)) break;
  }
  const servers = found.map((one) => ({
    name: one.server,
    schema: one.schema,
    differs_from: found
      .filter((other) => other.schema === one.schema)
      .flatMap((other) => {
        const tables = differencesOf(one.tables, other.tables);
        return tables.length === 0 ? [] : [{ name: other.server, tables }];
      }),
  }));
  const json = { position, servers, silent: expected.filter(isMissing) };
  const isEqual = json.silent.length === 0 && servers.every(({ differs_from: others }) => others.length === 0);
  return { code: isEqual ? 0 : 1, text: verificationText(json), json };
}

/** The settings of the log and those of the configuration; with `--yes` these are the log's from now on. */
export async function settings(
  { log: operated, settings: configured }: OpenedLog,
  { yes }: ActionArguments,
): Promise<Result> {
  const own = sharedSettings(configured);
  if (yes === true) await operated.changeSettings(own);
  const { settings: agreed } = await operated.figures();
  const rows = Object.entries(own).map(([name, here]) => ({ name, log: agreed?.[name] ?? null, here }));
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, log, here }) => {
    const value = log === null ? "not set" : JSON.stringify(log);
    return `${name.padEnd(width)}  ${value}${log === here ? "" : `, here ${JSON.stringify(here)}`}\n`;
  });
  return { code: rows.every(({ log, here }) => log === here) ? 0 : 1, text: lines.join(""), json: rows };
}

/** Removes a server that will not come back; asks first where it may be running. */
export async function forget({ log }: OpenedLog, { name = "", yes }: ActionArguments): Promise<Result> {
  const silence = (await log.servers()).find((server) => server.name === name)?.silence ?? Infinity;
  const seen = `${name} was seen ${Math.round(silence)} s ago and may be running`;
  if (
    silence <= SILENT &&
    yes !== true &&
    !(await isConfirmed(`command-log: forget: ${seen}:`, `${seen}. Remove it?`))
  ) {
    return { code: 1, text: `${name} is still among the servers of the log\n`, json: { name: null } };
  }
  await log.forgetServer(name);
  return { text: `Removed ${name} from the servers of the log\n`, json: { name } };
}
