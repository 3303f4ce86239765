import { messageOf } from "#storage/errors.ts";
import { readNamedFile } from "../listeners/named-file.ts";
import { type Family, familyNames } from "./families.ts";
import { invalid, list, parseFile, record, text } from "./json-file.ts";
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
  const content = parseFile(where, await readNamedFile("authorization-policy", path));
  const expected = `an object with a list for each family: ${familyNames.join(", ")}`;
  const rules = record(where, content, familyNames, { noun: "family", expected });
  const principals = "a list of certificate names or patterns, tokens or people; see docs/access.md";
  return Object.fromEntries(
    Object.entries(rules).map(([family, given]) => [
      family,
      list(`${where}: ${family}`, given, principalAt, principals),
    ]),
  );
}

function principalAt(place: string, item: unknown): Principal {
  const name = text(place, item, /^/, "a string");
  try {
    return readPrincipal(name);
  } catch (error) {
    throw invalid(place, `${JSON.stringify(name)}: ${messageOf(error)}`);
  }
}
