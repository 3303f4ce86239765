import { rm, writeFile } from "node:fs/promises";
import { type Family, families, familyNames } from "#app/access/families.ts";
import { type Role, roleNames } from "#app/access/roles.ts";
import { duration } from "#app/settings/kinds/durations.ts";
import type { AccessFile, TokenEntry } from "#app/sign-in/access-file.ts";
import { createToken, isExpired } from "#app/sign-in/tokens.ts";
import { CensusError } from "#storage/errors.ts";
import { UsageError } from "../errors.ts";
import { printRows } from "../output/print.ts";
import { rowsOf } from "../output/rows.ts";
import { stdout } from "../stdout.ts";
import { changeAccessFile, readOrEmpty } from "./edit.ts";
import { type AccessFileArguments, accessFilePath } from "./options.ts";

export interface TokenArguments extends AccessFileArguments {
  readonly may?: string | undefined;
  readonly expires?: string | undefined;
  readonly out?: string | undefined;
  readonly output?: "table" | "json" | undefined;
}

/** Creates a token and prints it, or writes it to a file that only its owner can read. */
export async function create(name: string, args: TokenArguments): Promise<void> {
  const may = readPermissions(args.may);
  const expires = readExpiry(args.expires ?? "90d", Date.now());
  const { id, token, sha256 } = createToken();
  const entry: TokenEntry = { name, sha256, may, created: new Date().toISOString(), expires };
  const add = (content: AccessFile): AccessFile => {
    const isTaken = [...content.tokens.values()].some((one) => one.name === name && one.revoked === undefined);
    if (!isTaken) return { ...content, tokens: new Map([...content.tokens, [id, entry]]) };
    throw new CensusError("conflict", `a token named "${name}" exists; revoke it first or choose another name`);
  };
  if (args.entry === true && args.out === undefined)
    throw new UsageError("token: --entry needs --out FILE for the token");
  if (args.out !== undefined) await writeToken(args.out, token);
  try {
    await changeAccessFile(args, add, { tokens: new Map([[id, entry]]) });
  } catch (error) {
    if (args.out !== undefined) await rm(args.out, { force: true });
    throw error;
  }
  const until = expires === null ? "never expires" : `until ${expires.slice(0, 10)}`;
  const place = args.out === undefined ? "; it is shown only now" : ` in ${args.out}`;
  process.stderr.write(`created token ${name} (${may.join(", ")}; ${until})${place}\n`);
  if (args.out === undefined) await stdout.write(`${token}\n`);
}

async function writeToken(path: string, token: string): Promise<void> {
  await writeFile(path, `${token}\n`, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EEXIST" ? "already exists; choose another name" : error.message;
    throw new CensusError("bad-file", `${path}: ${why}`, { cause: error });
  });
}

/** Revokes the tokens of a name. They remain in the file, so that their clients are told why they are refused. */
export async function revoke(name: string, args: TokenArguments): Promise<void> {
  const revoked = new Date().toISOString();
  const entries = (content: AccessFile): AccessFile => {
    const found = [...content.tokens].filter(([, token]) => token.name === name && token.revoked === undefined);
    if (found.length === 0) throw new CensusError("not-found", `there is no token named "${name}" that can be used`);
    const changed = found.map(([id, token]) => [id, { ...token, revoked }] as const);
    return { ...content, tokens: new Map([...content.tokens, ...changed]) };
  };
  const { tokens } = entries(await readOrEmpty(await accessFilePath(args)));
  await changeAccessFile(args, entries, { tokens: new Map([...tokens].filter(([, one]) => one.name === name)) });
}

/** Rows of all tokens: name, state, permissions, times. */
export async function list(args: TokenArguments): Promise<void> {
  const { tokens } = await readOrEmpty(await accessFilePath(args));
  const rows = [...tokens].map(([id, token]) => {
    const { name, may, created, expires, revoked } = token;
    const state = revoked === undefined ? (isExpired(token, Date.now()) ? "expired" : "valid") : "revoked";
    return { name, state, may: may.join(", "), created, expires, id };
  });
  await printRows(rowsOf(rows), args.output);
}

/** @throws UsageError naming the first unknown family */
function readPermissions(text: string | undefined): (Family | Role)[] {
  const known = Object.keys(families).join(", ");
  if (text === undefined) throw new UsageError(`token: create needs --may: ${known}, or a role`);
  return text.split(",").map((word) => {
    const found = [...familyNames, ...roleNames].find((name) => name === word.trim());
    if (found !== undefined) return found;
    throw new UsageError(`--may: unknown family "${word.trim()}"; use ${known}, or a role: ${roleNames.join(", ")}`);
  });
}

/** @returns null: never */
function readExpiry(text: string, now: number): string | null {
  if (text === "never") {
    process.stderr.write("census: the token never expires: revoke it when it is not needed any more\n");
    return null;
  }
  const micros = duration.read(text, "");
  if (micros === undefined || micros === 0n) {
    throw new UsageError(`--expires must be a duration such as 90d, or never, not ${JSON.stringify(text)}`);
  }
  return new Date(now + Number(micros / 1000n)).toISOString();
}
