import { createInterface } from "node:readline";
import { messageOf } from "#storage/errors.ts";
import { oneLine, ReaderGone } from "../errors.ts";
import { metaLine, runMeta } from "./meta.ts";
import type { Session } from "./session.ts";
import { progressOf, withoutSemicolon } from "./statement.ts";

/**
 * Runs the queries of a file or pipe one by one; lines that start with # are comments.
 * @returns the exit code: 1 when a query failed, which ends the script
 */
export async function runScript(session: Session, input: NodeJS.ReadableStream): Promise<number> {
  let query = "";
  let began = 0;
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (query === "") {
      if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
      began = number;
    }
    query += `${query === "" ? (metaLine(line) ?? line) : line}\n`;
    if (!isEnd(query)) continue;
    const outcome = await attempt(session, query, began);
    if (outcome !== "on") return outcome === "quit" ? 0 : 1;
    query = "";
  }
  if (query === "") return 0;
  return (await attempt(session, query, began)) === "failed" ? 1 : 0;
}

function isEnd(query: string): boolean {
  return query.startsWith("\\") || progressOf(withoutSemicolon(query)).isWhole;
}

async function attempt(session: Session, query: string, line: number): Promise<"on" | "quit" | "failed"> {
  try {
    if (query.startsWith("\\")) return (await runMeta(session, query)) ?? "on";
    await session.query(withoutSemicolon(query));
    return "on";
  } catch (error) {
    if (error instanceof ReaderGone) return "quit";
    process.stderr.write(`census: shell: line ${line}: ${oneLine(messageOf(error))}\n`);
    return "failed";
  }
}
