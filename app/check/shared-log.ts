import { statSync } from "node:fs";
import { filesOf, placeOf, readAddress } from "#storage/queue/replicated/address.ts";
import type { CommandLogSettings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, reporter } from "./finding.ts";
import { readableBy } from "./readable.ts";

const REMEDY = "correct the setting; see docs/high-availability.md";

/** Checks the files that the connections to the log of several servers need. Opens none. */
export function checkSharedLog({ address: text, passwordFile }: CommandLogSettings, context: Context): Finding[] {
  const place = context.where("census", "command-log");
  const report = reporter("command log", place);
  const address = readAddress(text, passwordFile);
  return [
    report.ok(`${placeOf(address)} is a valid address (not connected to)`),
    ...checkFile(passwordFile, context.where("census", "command-log-password-file"), true, context),
    ...filesOf(address).flatMap(({ parameter, path, isSecret }) =>
      checkFile(path, `${place}, ${parameter}`, isSecret, context),
    ),
  ];
}

/** @param isSecret whether other users must not read it */
function checkFile(path: string | undefined, where: string, isSecret: boolean, { user }: Context): Finding[] {
  if (path === undefined) return [];
  const report = reporter("command log", where);
  const denied = readableBy(user, path, report);
  if (denied !== undefined) return [denied];
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) return [report.error(`${path} is not a file`, REMEDY)];
  const mode = (found?.mode ?? 0) & 0o7777;
  if (isSecret && process.platform !== "win32" && (mode & 0o007) !== 0) {
    const what = `${path} has mode ${mode.toString(8).padStart(4, "0")}: other users can read it`;
    return [report.warning(what, `chmod o= ${path}`)];
  }
  return [report.ok(`${path} can be read`)];
}
