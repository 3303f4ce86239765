import type { Sql } from "#storage/sql/sql.ts";
import { UsageError } from "../errors.ts";
import { unknownWord } from "../unknown.ts";
import { entityCalled, entityRows, fieldRows, relationRows } from "./describe.ts";
import { formatByName, textFormats } from "../output/formats.ts";
import type { Session } from "./session.ts";

/** A command of the shell itself. */
export interface MetaCommand {
  /** With its backslash. */
  readonly name: string;
  /** What stands behind it, as help shows it. */
  readonly argument: string;
  readonly description: string;
  /** What may stand behind it, where that is one of a few words. */
  readonly words?: () => readonly string[];
  /** @returns "quit" when the shell is to end */
  readonly run: (session: Session, argument: string) => Promise<"quit" | void>;
}

/** All of them, as `\?` lists them. */
export const metaCommands: readonly MetaCommand[] = [
  {
    name: "\\?",
    argument: "",
    description: "List these commands",
    run: (session) =>
      show(
        session,
        metaCommands.map(({ name, argument, description }) =>
          JSON.stringify({ command: `${name} ${argument}`.trim(), description }),
        ),
      ),
  },
  {
    name: "\\d",
    argument: "[ENTITY]",
    description: "List the entities, or the fields of one and what is related to it",
    run: async (session, argument) => {
      if (argument === "") return show(session, entityRows());
      const entity = entityCalled(argument);
      await show(session, fieldRows(entity));
      const related = relationRows(entity);
      if (related.length > 0) await show(session, related);
    },
  },
  {
    name: "\\x",
    argument: "",
    description: "Show every row of a table as a block of lines, or as a line again",
    run: async (session) => {
      session.isExpanded = !session.isExpanded;
      tell(`Rows are shown as ${session.isExpanded ? "blocks of lines" : "lines"}`);
    },
  },
  {
    name: "\\format",
    argument: textFormats.join("|"),
    description: "Lay answers out so from now on",
    words: () => textFormats,
    run: async (session, argument) => {
      const layout = textFormats.find((known) => known === argument);
      if (layout === undefined)
        throw new UsageError(`\\format takes one of ${textFormats.join(", ")}, not ${JSON.stringify(argument)}`);
      session.layout = layout;
    },
  },
  {
    name: "\\o",
    argument: "[FILE]",
    description: "Write answers to a file from now on, laid out as its ending says, or to the terminal again",
    run: async (session, argument) => {
      if (argument === "") return session.writeTo(undefined);
      const format = formatByName(argument);
      const layout = textFormats.find((known) => known === format);
      if (format !== undefined && layout === undefined)
        throw new UsageError(
          `${argument}: the shell writes ${textFormats.join(", ")}; for ${format} use census query --out`,
        );
      return session.writeTo(argument, layout);
    },
  },
  {
    name: "\\timing",
    argument: "",
    description: "Say how long answers take, or do not any more",
    run: async (session) => {
      session.isTimed = !session.isTimed;
      tell(`Times are ${session.isTimed ? "" : "not "}shown`);
    },
  },
  {
    name: "\\explain",
    argument: "QUESTION",
    description: "Show what a question becomes, AST and SQL, and what each step of carrying it out takes",
    run: async (session, argument) => (await import("./explain.ts")).explain(session, argument),
  },
  {
    name: "\\sql",
    argument: "SELECT …",
    description: "Ask an archive or a data directory in SQL, of views named like the entities",
    run: async (session, argument) => {
      if (argument === "") throw new UsageError("\\sql wants a SELECT behind it, such as SELECT certname FROM nodes");
      const { store } = session;
      await session.answer(async (signal) => sqlRows(await store.sql(), argument, signal));
    },
  },
  {
    name: "\\source",
    argument: "[SOURCE]",
    description: "Say what is asked, or ask another archive, data directory or server",
    run: async (session, argument) => {
      if (argument !== "") await session.change(argument);
      tell(`Asking ${session.source.name}`);
    },
  },
  {
    name: "\\q",
    argument: "",
    description: "End the shell, as Ctrl-D does",
    run: () => Promise.resolve("quit"),
  },
];

/** What people type out of habit, and what it means. */
const words: Readonly<Record<string, string>> = { exit: "\\q", quit: "\\q", help: "\\?" };

/** A line as the command of the shell that it is; undefined when it is none. */
export function metaLine(line: string): string | undefined {
  if (line.startsWith("\\")) return line;
  const [, word = ""] = /^\s*(\w+)\s*;?\s*$/.exec(line) ?? [];
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

/**
 * Runs a line that begins with a backslash.
 * @throws UsageError when there is no such command; whatever the command throws
 */
export async function runMeta(session: Session, line: string): Promise<"quit" | void> {
  const [, name = "", argument = ""] = /^(\S+)\s*([^]*?)\s*;?\s*$/.exec(line.trim()) ?? [];
  const command = metaCommands.find((known) => known.name === name);
  if (command !== undefined) return command.run(session, argument);
  throw unknownWord(
    "",
    "command",
    name,
    metaCommands.map((known) => known.name),
    "\\? lists what there is",
  );
}

async function* sqlRows(sql: Sql, statement: string, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  try {
    yield* await sql.ask(statement, { signal });
  } finally {
    sql.close();
  }
}

async function show(session: Session, rows: readonly string[]): Promise<void> {
  await session.answer(() => once(rows));
}

async function* once(rows: readonly string[]): AsyncGenerator<readonly string[]> {
  yield rows;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
