import { createInterface, type Interface } from "node:readline/promises";
import { CensusError } from "#storage/errors.ts";
import { reportError } from "../errors.ts";
import { SourceCatalogue } from "./catalogue.ts";
import { completeLine } from "./complete.ts";
import type { History } from "./history.ts";
import { metaLine, runMeta } from "./meta.ts";
import { queryErrorText } from "./query-error-text.ts";
import type { Session } from "./session.ts";
import { progressOf, withoutSemicolon } from "./statement.ts";

const PROMPT = "census> ";
const GOES_ON = "   ...> ";

/** The prompt on a terminal. */
export class InteractiveShell {
  readonly #session: Session;
  readonly #history: History;
  readonly #readline: Interface;
  #catalogue: SourceCatalogue;
  /** Lines typed while a query was running. */
  readonly #lines: string[] = [];
  /** The incomplete query typed so far. */
  #query = "";
  /** Entries for the arrow keys in readline, newest first. */
  #entries: string[] = [];
  #busy: Promise<void> | undefined;
  #isOver = false;

  constructor(session: Session, history: History) {
    this.#session = session;
    this.#history = history;
    this.#catalogue = new SourceCatalogue(session.source);
    this.#readline = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: true,
      prompt: PROMPT,
      history: history.entries.toReversed(),
      historySize: Math.max(1, history.entries.length) + 1000,
      completer: (line: string) => completeLine(this.#query, line, this.#catalogue, () => session.saved.names),
    });
  }

  /** Answers until the user ends it. */
  async run(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#readline.once("close", resolve));
    this.#readline.on("line", (line) => this.#take(line));
    this.#readline.on("SIGINT", () => this.#interrupt());
    this.#readline.on("history", (entries) => {
      this.#entries = entries;
    });
    this.#readline.prompt();
    await closed;
    if (!this.#isOver) process.stdout.write("\n");
    this.#isOver = true;
    await this.#busy;
  }

  /** Hands the terminal to another program, such as a pager. */
  lend(): void {
    this.#readline.pause();
    process.stdin.setRawMode(false);
    // Leave Ctrl-C to the other program.
    process.on("SIGINT", ignore);
  }

  takeBack(): void {
    process.removeListener("SIGINT", ignore);
    process.stdin.setRawMode(true);
    this.#readline.resume();
  }

  #take(line: string): void {
    this.#lines.push(line);
    this.#busy ??= this.#answerAll().finally(() => {
      this.#busy = undefined;
    });
  }

  async #answerAll(): Promise<void> {
    for (let line = this.#lines.shift(); line !== undefined && !this.#isOver; line = this.#lines.shift()) {
      if ((await this.#answer(line)) === "quit") {
        this.#isOver = true;
        this.#readline.close();
        return;
      }
    }
    if (this.#isOver) return;
    // Replace readline's entries per line: a query of several lines is one entry.
    const typed = this.#query.split("\n").filter(Boolean).toReversed();
    this.#entries.splice(0, this.#entries.length, ...typed, ...this.#history.entries.toReversed());
    this.#readline.setPrompt(this.#query === "" ? PROMPT : GOES_ON);
    this.#readline.prompt();
  }

  async #answer(line: string): Promise<"quit" | void> {
    if (this.#query === "" && line.trim() === "") return undefined;
    const meta = this.#query === "" ? metaLine(line) : undefined;
    // An empty line ends an incomplete query, so that users can leave it.
    const query = `${this.#query}${line}`;
    const { isWhole, inText } = progressOf(withoutSemicolon(query));
    if (meta === undefined && !isWhole && (line.trim() !== "" || inText)) {
      this.#query = `${query}\n`;
      return undefined;
    }
    this.#query = "";
    const statement = withoutSemicolon(query);
    this.#remember(statement);
    try {
      if (meta !== undefined) return await this.#meta(meta);
      await this.#session.query(statement);
    } catch (error) {
      if (error instanceof CensusError) process.stderr.write(`${queryErrorText(error, statement)}\n`);
      else reportError(error);
    }
  }

  async #meta(line: string): Promise<"quit" | void> {
    const { source } = this.#session;
    const outcome = await runMeta(this.#session, line);
    if (this.#session.source !== source) this.#catalogue = new SourceCatalogue(this.#session.source);
    return outcome;
  }

  /** Adds the query to the history on one line, unless a string contains a line break. */
  #remember(query: string): void {
    const lines = query.split("\n").map((line) => line.trim());
    const [first = "", ...rest] = lines;
    let entry = first;
    let whole = first;
    for (const line of rest) {
      if (progressOf(whole).inText) return;
      whole += `\n${line}`;
      entry += ` ${line}`;
    }
    this.#history.add(entry);
  }

  #interrupt(): void {
    if (this.#session.interrupt()) return;
    this.#lines.length = 0;
    this.#query = "";
    // Move to the end of the line and delete it.
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    process.stdout.write("^C\n");
    this.#readline.setPrompt(PROMPT);
    this.#readline.prompt();
  }
}

function ignore(): void {
  // The other program handles the signal.
}
