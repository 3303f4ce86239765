import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { paints } from "../colours.ts";
import { printable } from "../output/printable.ts";
import { stateOfWord } from "#storage/states/words.ts";
import { paintOfWord, stateText } from "../output/states.ts";

/** Characters of a time, as `2026-11-20 12:00:03Z`. */
const TIME = 20;

/** Reports and events as lines for people. */
export class TailText {
  readonly #isColoured: boolean;
  /** Of the longest certname so far. */
  #width = 0;

  constructor(isColoured: boolean) {
    this.#isColoured = isColoured;
  }

  report(row: JsonObject): string {
    const certname = text(row["certname"]);
    this.#width = Math.max(this.#width, certname.length);
    const time = timeText(text(row["receive_time"])).padEnd(TIME);
    const parts = [certname.padEnd(this.#width), text(row["environment"]), summary(row)].filter((part) => part !== "");
    return `${paints(this.#isColoured).faint(time)}  ${this.#status(text(row["state"]))}  ${parts.join("  ")}\n`;
  }

  event(row: JsonObject): string {
    const message = text(row["message"]);
    const property = text(row["property"]);
    const resource = `${text(row["resource"])}${property === "" ? "" : ` ${property}`}`;
    return `${" ".repeat(TIME)}  ${this.#status(text(row["status"]))}  ${resource}${message === "" ? "" : `: ${message}`}\n`;
  }

  #status(word: string): string {
    const shown = stateText(word, stateOfWord(word)).padEnd(16);
    return (this.#isColoured ? paintOfWord(word) : undefined)?.(shown) ?? shown;
  }
}

function summary(row: JsonObject): string {
  const count = (name: string): string[] => {
    const value = row[name];
    return typeof value === "number" && value > 0 ? [`${value} ${name}`] : [];
  };
  const noop = row["noop"] === true ? ["noop"] : [];
  const seconds = typeof row["seconds"] === "number" ? [`${row["seconds"]} s`] : [];
  return [...noop, ...count("failed"), ...count("changed"), ...count("skipped"), ...seconds].join(", ");
}

function text(value: JsonObject[string] | undefined): string {
  return printable(cellText(value));
}

/** To the second. */
function timeText(time: string): string {
  return time.replace(/^(.{10})T(.{8}).*$/s, "$1 $2Z");
}
