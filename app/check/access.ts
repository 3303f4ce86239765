import { messageOf } from "#storage/errors.ts";
import { readAllowlist } from "../access/allowlist.ts";
import { readPolicy } from "../access/policy.ts";
import type { AccessSettings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, reporter } from "./finding.ts";
import { readableBy } from "./readable.ts";

/** Checks the files of the access rules. */
export async function checkAccess({ allowlist, policy }: AccessSettings, context: Context): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (allowlist !== undefined) findings.push(await checkAllowlist(allowlist, context));
  if (policy !== undefined) findings.push(await checkPolicy(policy, context));
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

async function checkPolicy(path: string, context: Context): Promise<Finding> {
  const report = reporter("policy", context.where("census", "authorization-policy"));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return denied;
  try {
    const count = Object.keys(await readPolicy(path)).length;
    return report.ok(`${path} has rules for ${count} ${count === 1 ? "family" : "families"} of endpoints`);
  } catch (error) {
    return report.error(messageOf(error), "correct the file; see docs/settings.md for the format");
  }
}
