import { messageOf } from "#storage/errors.ts";
import { type AccessFile, readAccessFile } from "../sign-in/access-file.ts";
import { isExpired } from "../sign-in/tokens.ts";
import type { Settings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, reporter } from "./finding.ts";
import { openToAll } from "./open-to-all.ts";
import { checkPeople } from "./people.ts";
import { readableBy } from "./readable.ts";

/**
 * Checks the files of tokens and people, and the listener for people.
 * @param directory the data directory
 */
export async function checkSignIn(settings: Settings, directory: string, context: Context): Promise<Finding[]> {
  const { accessFile, people } = settings.signIn ?? {};
  const { content, findings } =
    accessFile === undefined ? { content: undefined, findings: [] } : await checkAccessFile(accessFile, context);
  return [
    ...findings,
    ...(people === undefined ? [] : await checkPeople(people, settings, directory, content, context)),
  ];
}

interface CheckedFile {
  /** Undefined: the file is not valid. */
  readonly content: AccessFile | undefined;
  readonly findings: Finding[];
}

async function checkAccessFile(path: string, context: Context): Promise<CheckedFile> {
  const report = reporter("access file", context.where("census", "access-file"));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return { content: undefined, findings: [denied] };
  try {
    const content = await readAccessFile(path);
    const expired = [...content.tokens.values()].filter(
      (token) => token.revoked === undefined && isExpired(token, context.now),
    );
    const findings = [
      ...openToAll(path, report),
      ...expired.map(({ name }) =>
        report.warning(`the token ${name} in ${path} has expired`, "create another, and revoke this one"),
      ),
      report.ok(`${path} is valid: ${countsOf(content)}`),
    ];
    return { content, findings };
  } catch (error) {
    const what = messageOf(error).replace("access-file: ", "");
    return { content: undefined, findings: [report.error(what, "correct it, or restore an earlier one")] };
  }
}

function countsOf({ tokens, users, groups }: AccessFile): string {
  return `tokens: ${tokens.size}, users: ${users.size}, groups: ${groups.size}`;
}
