import { CensusError, messageOf } from "#storage/errors.ts";
import { readNamedFile } from "../listeners/named-file.ts";
import { families, type Family } from "./families.ts";
import { type Principal, readPrincipal } from "./principals.ts";
import { type Check, forbidden } from "./refusal.ts";

/**
 * Who may use which family of endpoints. A family that is not named is closed to everybody. The file is JSON:
 * `{ "query": ["*.example.com", "loopback"], "command": ["/puppet\\d+/"], "status": ["any"] }`.
 */
export type Policy = Readonly<Partial<Record<Family, readonly Principal[]>>>;

/** What a policy has to say to a request. */
export function policed(policy: Policy): Check {
  return (facts) => {
    const { family } = facts;
    if (family === undefined) return forbidden(facts, "the policy knows no such endpoint");
    if (policy[family]?.some((admits) => admits(facts)) === true) return undefined;
    return forbidden(facts, `the policy's "${family}" does not let it in`);
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
    throw new CensusError("bad-file", `${where} is not JSON: ${messageOf(error)}`, { cause: error });
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new CensusError(
      "bad-file",
      `${where}: an object from families (${families.join(", ")}) to lists was expected`,
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
  const family = families.find((known) => known === name);
  if (family !== undefined) return family;
  throw new CensusError("bad-file", `${where}: "${name}" is no family; ${families.join(", ")} were expected`);
}

function readList(where: string, list: unknown): Principal[] {
  if (!Array.isArray(list)) {
    throw new CensusError(
      "bad-file",
      `${where}: a list of certificate names or patterns, "loopback" or "any" was expected`,
    );
  }
  return list.map((item: unknown, index) => {
    const place = `${where}[${index}]`;
    if (typeof item !== "string") throw new CensusError("bad-file", `${place}: a text was expected`);
    try {
      return readPrincipal(item);
    } catch (error) {
      throw new CensusError("bad-file", `${place}: ${JSON.stringify(item)}: ${messageOf(error)}`, { cause: error });
    }
  });
}
