import type { EnumArgDef } from "citty";
import type { InGroup } from "../option-groups.ts";

/** The formats of commands that print what happens as it happens. */
export type FollowFormat = "text" | "ndjson";

/** Their option `--output`. */
export const followOutput: EnumArgDef & { type: "enum"; options: FollowFormat[] } & InGroup = {
  type: "enum",
  options: ["text", "ndjson"],
  description: "Output format (default: text on a terminal, else ndjson)",
  group: "output",
};

/** Whether to write for people. */
export function isForPeople(output: FollowFormat | undefined): boolean {
  return (output ?? (process.stdout.isTTY ? "text" : "ndjson")) === "text";
}
