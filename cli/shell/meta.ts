import type { JsonObject } from "#storage/json.ts";
import type { SavedQuery } from "#storage/saved-queries/types.ts";
import { expectedText } from "../check/expected.ts";
import { readQueryRows } from "../check/query-rows.ts";
import { UsageError } from "../errors.ts";
import { unknownName } from "../unknown-name.ts";
import { entityCalled, entityRows, fieldRows, relationRows } from "./describe.ts";
import { checkEnding, formatByName, textFormats } from "../output/formats.ts";
import { rowsOf } from "../output/rows.ts";
import type { Session } from "./session.ts";

/** A command of the shell itself. */
export interface MetaCommand {
  /** With its backslash. */
  readonly name: string;
  /** Its argument, as help shows it. */
  readonly argument: string;
  readonly description: string;
  /**
   * The values its argument may have, if they are few.
   * @param saved the names of saved queries
   */
  readonly words?: (saved: readonly string[]) => readonly string[];
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
        metaCommands.map(({ name, argument, description }) => ({
          command: `${name} ${argument}`.trim(),
          description,
        })),
      ),
  },
  {
    name: "\\d",
    argument: "[ENTITY]",
    description: "List the entities, or the fields and relationships of one",
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
    description: "Switch between tables and one block of lines per row",
    run: async (session) => {
      session.isExpanded = !session.isExpanded;
      notify(`Showing ${session.isExpanded ? "one block of lines per row" : "tables"}`);
    },
  },
  {
    name: "\\format",
    argument: textFormats.join("|"),
    description: "Set the output format",
    words: () => textFormats,
    run: async (session, argument) => {
      const layout = textFormats.find((known) => known === argument);
      if (layout === undefined)
        throw new UsageError(`\\format needs one of ${textFormats.join(", ")}, not ${JSON.stringify(argument)}`);
      session.layout = layout;
    },
  },
  {
    name: "\\o",
    argument: "[FILE]",
    description: "Write results to FILE, in the format of its extension, or to the terminal again",
    run: async (session, argument) => {
      if (argument === "") return session.writeTo(undefined);
      if (!session.isLayoutChosen)
        checkEnding(argument, { option: "\\o", otherwise: "choose one with \\format first" });
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
    description: "Switch the display of query times on or off",
    run: async (session) => {
      session.isTimed = !session.isTimed;
      notify(`Query times are ${session.isTimed ? "on" : "off"}`);
    },
  },
  {
    name: "\\explain",
    argument: "QUERY",
    description: "Show the AST and SQL of a query and the cost of each step",
    run: async (session, argument) => (await import("./explain.ts")).explain(session, argument),
  },
  {
    name: "\\sql",
    argument: "SELECT …",
    description: "Run a SQL query, also on a server that allows it",
    run: async (session, argument) => {
      if (argument === "")
        throw new UsageError("\\sql needs a SELECT statement, e.g. \\sql SELECT certname FROM nodes");
      session.ran = { language: "sql", text: argument };
      const query = { text: argument, isSql: true };
      await session.answer((signal) => session.source.sql(argument, { signal }), query);
    },
  },
  {
    name: "\\i",
    argument: "[FILE]",
    description: "Load a file of saved queries, or list those of the loaded one",
    run: async (session, argument) => {
      const { saved } = session;
      const exists = argument === "" || (await saved.open(argument));
      if (!exists) return notify(`${argument} does not exist; \\save NAME makes it`);
      await show(session, (await saved.queries()).map(listed));
    },
  },
  {
    name: "\\run",
    argument: "NAME [PARAM=VALUE …]",
    description: "Run a saved query",
    words: (saved) => saved,
    run: async (session, argument) => {
      const query = await session.saved.find(argument);
      const { language, text } = query;
      const names = language === "states" ? undefined : { text, isSql: language === "SQL" };
      await session.answer((signal) => readQueryRows(query, session.source, signal), names);
    },
  },
  {
    name: "\\save",
    argument: "NAME",
    description: "Append the last query to the file of saved queries",
    run: async ({ ran, saved }, argument) => {
      if (argument === "") throw new UsageError("\\save needs a name, e.g. \\save Failed nodes");
      const { path } = saved;
      if (ran === undefined) throw new UsageError("\\save saves the last query; run one first");
      await saved.save(argument, ran);
      notify(`Saved in ${path}`);
    },
  },
  {
    name: "\\source",
    argument: "[SOURCE]",
    description: "Show the source, or switch to another archive, data directory or URL",
    run: async (session, argument) => {
      if (argument !== "") await session.change(argument);
      notify(`Source: ${session.source.name}`);
    },
  },
  {
    name: "\\q",
    argument: "",
    description: "Quit (also Ctrl-D)",
    run: () => Promise.resolve("quit"),
  },
];

/** Commands of other shells, and the corresponding ones here. */
const words: Readonly<Record<string, string>> = { exit: "\\q", quit: "\\q", help: "\\?" };

/** The command of the shell in a line; undefined for a query. */
export function metaLine(line: string): string | undefined {
  if (line.startsWith("\\")) return line;
  const [, word = ""] = /^\s*(\w+)\s*;?\s*$/.exec(line) ?? [];
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

/**
 * Runs a line that begins with a backslash.
 * @throws UsageError when there is no such command; errors of the command
 */
export async function runMeta(session: Session, line: string): Promise<"quit" | void> {
  const [, name = "", argument = ""] = /^(\S+)\s*([^]*?)\s*;?\s*$/.exec(line.trim()) ?? [];
  const command = metaCommands.find((known) => known.name === name);
  if (command !== undefined) return command.run(session, argument);
  throw unknownName(
    "",
    "command",
    name,
    metaCommands.map((known) => known.name),
    "\\? lists the commands",
  );
}

/** A saved query as a row. */
function listed({ name, language, text, expectation }: SavedQuery): JsonObject {
  const expect = expectation === undefined ? null : expectedText(expectation);
  return { name, expect, language, query: text };
}

async function show(session: Session, rows: readonly JsonObject[]): Promise<void> {
  await session.answer(() => rowsOf(rows));
}

function notify(text: string): void {
  process.stderr.write(`${text}\n`);
}
