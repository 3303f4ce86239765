import { hostname as systemName } from "node:os";
import { join } from "node:path";
import { databaseFile } from "#storage/store-database.ts";
import type { LoadedSettings } from "../settings/load.ts";
import { checkAccess } from "./access.ts";
import { checkCredentials } from "./certificates.ts";
import { checkClock } from "./clock.ts";
import { contextOf } from "./context.ts";
import { checkExplorer } from "./explorer.ts";
import { type Finding, reporter } from "./finding.ts";
import { checkFolders } from "./folders.ts";
import { checkPorts } from "./ports.ts";
import { checkSharedLog } from "./shared-log.ts";
import { checkSignIn } from "./sign-in.ts";
import type { User } from "./user.ts";

export interface CheckOptions {
  /** The user that the service will run as. */
  readonly user: User;
  /** The data directory. */
  readonly directory: string;
  /** Milliseconds since the epoch; default: the machine's clock. */
  readonly now?: number;
  /** The name of this machine; default: the system's. */
  readonly hostname?: string;
}

/**
 * Checks everything that a service with these settings needs of the machine, with the code that its start uses, and
 * changes nothing: files of TLS, access rules, the shared log and saved queries, folders, space, ports, the clock.
 */
export async function checkStart(
  loaded: LoadedSettings,
  { user, directory, now = Date.now(), hostname = systemName() }: CheckOptions,
): Promise<Finding[]> {
  const { http, access, signIn, commandLog } = loaded.settings;
  const context = contextOf(loaded, { user, now, hostname });
  const named = [
    http.tls?.cert,
    http.tls?.key,
    http.tls?.caCert,
    http.tls?.crl,
    access.allowlist,
    access.policy,
    signIn?.accessFile,
    signIn?.people?.tls?.cert,
    signIn?.people?.tls?.key,
    signIn?.people?.sessionKeyFile,
  ];
  const files = [...named.filter((path) => path !== undefined), join(directory, databaseFile), process.execPath];
  return [
    ...loaded.ignored.map(({ section, name, from, reason }) =>
      reporter("setting", `${from}: [${section}] ${name}`).ok(`ignored: ${reason}`),
    ),
    ...loaded.warnings.map(({ subject, problem, remedy }) => reporter("setting", subject).warning(problem, remedy)),
    ...rootSeesAll(
      user,
      named.some((path) => path !== undefined),
    ),
    ...(http.tls === undefined ? [] : await checkCredentials(http.tls, context)),
    ...(await checkAccess(access, signIn !== undefined, context)),
    ...(await checkSignIn(loaded.settings, directory, context)),
    ...(commandLog === undefined ? [] : checkSharedLog(commandLog, context)),
    ...(await checkExplorer(loaded.settings, context)),
    ...checkFolders(loaded.settings, directory, context),
    ...(await checkPorts(http, signIn?.people, context)),
    checkClock(now, files),
  ];
}

/** Root's permissions say nothing about those of the user that the service runs as. */
function rootSeesAll({ uid, isSelf }: User, hasFiles: boolean): Finding[] {
  if (uid !== 0 || !isSelf || !hasFiles) return [];
  const what = "permissions were checked for root, who can read all files";
  return [reporter("user", null).warning(what, "check for the user of the service: --as-user census")];
}
