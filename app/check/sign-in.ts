import { messageOf } from "#storage/errors.ts";
import { type AccessFile, readAccessFile } from "../sign-in/access-file.ts";
import { isExpired } from "../sign-in/tokens.ts";
import type { Settings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, reporter } from "./finding.ts";
import { openToAll } from "./open-to-all.ts";
import { readableBy } from "./readable.ts";

/** Checks the files of tokens and people. */
export async function checkSignIn({ signIn }: Settings, context: Context): Promise<Finding[]> {
  if (signIn?.accessFile === undefined) return [];
  return checkAccessFile(signIn.accessFile, context);
}

async function checkAccessFile(path: string, context: Context): Promise<Finding[]> {
  const report = reporter("access file", context.where("census", "access-file"));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return [denied];
  try {
    const content = await readAccessFile(path);
    const expired = [...content.tokens.values()].filter(
      (token) => token.revoked === undefined && isExpired(token, context.now),
    );
    return [
      ...openToAll(path, report),
      ...expired.map(({ name }) =>
        report.warning(`the token ${name} in ${path} has expired`, "create another, and revoke this one"),
      ),
      report.ok(`${path} is valid: ${countsOf(content)}`),
    ];
  } catch (error) {
    return [report.error(messageOf(error).replace("access-file: ", ""), "correct it, or restore an earlier one")];
  }
}

function countsOf({ tokens, users, groups }: AccessFile): string {
  return `tokens: ${tokens.size}, users: ${users.size}, groups: ${groups.size}`;
}
