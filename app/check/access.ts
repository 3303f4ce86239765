import { readFile } from "node:fs/promises";
import { messageOf } from "#storage/errors.ts";
import { readAllowlist } from "../access/allowlist.ts";
import { readPolicy } from "../access/policy.ts";
import { prefixOf } from "../access/principals.ts";
import type { AccessSettings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, type Reporter, reporter } from "./finding.ts";
import { readableBy } from "./readable.ts";

/**
 * Checks the files of the access rules.
 * @param hasSignIn whether tokens and people are recognised
 */
export async function checkAccess(
  { allowlist, policy }: AccessSettings,
  hasSignIn: boolean,
  context: Context,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (allowlist !== undefined) findings.push(await checkAllowlist(allowlist, context));
  if (policy !== undefined) findings.push(...(await checkPolicy(policy, hasSignIn, context)));
  return findings;
}

async function checkAllowlist(path: string, context: Context): Promise<Finding> {
  const report = reporter("allowlist", context.where("puppetdb", "certificate-allowlist"));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return denied;
  try {
    const { size } = await readAllowlist(path);
    if (size > 0) return report.ok(`${path} names ${size} ${size === 1 ? "client" : "clients"}`);
    return report.warning(`${path} is empty: all TLS clients are rejected`, "add one certificate name per line");
  } catch (error) {
    return report.error(messageOf(error), "set certificate-allowlist to a text file");
  }
}

async function checkPolicy(path: string, hasSignIn: boolean, context: Context): Promise<Finding[]> {
  const report = reporter("policy", context.where("census", "authorization-policy"));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return [denied];
  try {
    const count = Object.keys(await readPolicy(path)).length;
    return [
      ...(hasSignIn ? [] : namesOfNobody(path, await readFile(path, "utf8"), report)),
      report.ok(`${path} has rules for ${count} ${count === 1 ? "family" : "families"} of endpoints`),
    ];
  } catch (error) {
    return [report.error(messageOf(error), "correct the file; see docs/access.md for the format")];
  }
}

/** Names of tokens and people where neither are recognised: a certificate of such a name needs another spelling. */
function namesOfNobody(path: string, text: string, report: Reporter): Finding[] {
  const items = new Set(Object.values(JSON.parse(text) as Record<string, string[]>).flat());
  return [...items]
    .filter((item) => prefixOf(item) !== undefined)
    .map((item) =>
      report.warning(
        `${path}: ${JSON.stringify(item)} admits nobody: tokens and people are not recognised`,
        `set access-file or people-port; for a certificate of this name write ${JSON.stringify(`/${item}/`)}`,
      ),
    );
}
