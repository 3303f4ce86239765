import type { TextOutput } from "../stdout.ts";

/** Writes a remark that is not part of the result: to stderr, after a pager has returned the terminal. */
export function remark(output: TextOutput, text: string): void {
  if (output.aside === undefined) process.stderr.write(text);
  else output.aside(text);
}
