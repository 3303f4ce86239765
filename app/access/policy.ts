import { CensusError, messageOf } from "#storage/errors.ts";
import { readNamedFile } from "../listeners/named-file.ts";
import { type Family, familyNames } from "./families.ts";
import { type Principal, readPrincipal } from "./principals.ts";
import { type Check, denied, forbidden } from "./check.ts";

/**
 * Who may use which family of endpoints; families that are not named are denied to everybody. The file is JSON:
 * `{ "query": ["*.example.com", "loopback"], "command": ["/puppet\\d+/"], "status": ["any"] }`.
 */
export type Policy = Readonly<Partial<Record<Family, readonly Principal[]>>>;

/** The rule of a policy. */
export function policed(policy: Policy): Check {
  return (facts) => {
    const { family } = facts;
    if (family === undefined) return forbidden(facts, "no rule for this endpoint");
    if (policy[family]?.some((admits) => admits(facts)) === true) return undefined;
    return denied(facts, `the rule "${family}" denies access`);
  };
}

/**
 * Reads a policy file.
 * @throws CensusError "bad-file" naming the file, the place in it and what was expected
 */
export async function readPolicy(path: string): Promise<Policy> {
  const where = `authorization-policy: ${path}`;
  const text = await readNamedFile("authorization-policy", path);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new CensusError("bad-file", `${where} is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new CensusError(
      "bad-file",
      `${where}: expected an object with a list for each family: ${familyNames.join(", ")}`,
    );
  }
  return Object.fromEntries(
    Object.entries(content).map(([family, list]: [string, unknown]) => [
      readFamily(where, family),
      readList(`${where}: ${family}`, list),
    ]),
  );
}

function readFamily(where: string, name: string): Family {
  const family = familyNames.find((known) => known === name);
  if (family !== undefined) return family;
  throw new CensusError("bad-file", `${where}: unknown family "${name}"; use ${familyNames.join(", ")}`);
}

function readList(where: string, list: unknown): Principal[] {
  if (!Array.isArray(list)) {
    throw new CensusError(
      "bad-file",
      `${where}: expected a list of certificate names or patterns, tokens or people; see docs/access.md`,
    );
  }
  return list.map((item: unknown, index) => {
    const place = `${where}[${index}]`;
    if (typeof item !== "string") throw new CensusError("bad-file", `${place}: expected a string`);
    try {
      return readPrincipal(item);
    } catch (error) {
      throw new CensusError("bad-file", `${place}: ${JSON.stringify(item)}: ${messageOf(error)}`, { cause: error });
    }
  });
}
