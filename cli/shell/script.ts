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
  let question = "";
  let began = 0;
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (question === "") {
      if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
      began = number;
    }
    question += `${question === "" ? (metaLine(line) ?? line) : line}\n`;
    if (!isEnd(question)) continue;
    const outcome = await attempt(session, question, began);
    if (outcome !== "on") return outcome === "quit" ? 0 : 1;
    question = "";
  }
  if (question === "") return 0;
  return (await attempt(session, question, began)) === "failed" ? 1 : 0;
}

function isEnd(question: string): boolean {
  return question.startsWith("\\") || progressOf(withoutSemicolon(question)).isWhole;
}

async function attempt(session: Session, question: string, line: number): Promise<"on" | "quit" | "failed"> {
  try {
    if (question.startsWith("\\")) return (await runMeta(session, question)) ?? "on";
    await session.ask(withoutSemicolon(question));
    return "on";
  } catch (error) {
    if (error instanceof ReaderGone) return "quit";
    process.stderr.write(`census: shell: line ${line}: ${oneLine(messageOf(error))}\n`);
    return "failed";
  }
}
