/** The part of a stream that decides about colours. */
export interface Colourable {
  readonly isTTY?: boolean | undefined;
}

/**
 * Whether to colour output to a stream: on a terminal, unless `NO_COLOR` is set; elsewhere only if `FORCE_COLOR` is set.
 * An empty variable counts as not set; `FORCE_COLOR=0` disables colours.
 */
export function hasColours(stream: Colourable, env: NodeJS.ProcessEnv = process.env): boolean {
  const { NO_COLOR: no = "", FORCE_COLOR: force = "", TERM: terminal = "" } = env;
  if (no !== "") return false;
  if (force !== "") return force !== "0" && force !== "false";
  return stream.isTTY === true && terminal !== "dumb";
}

/** Puts a text into one style of a terminal. */
export type Paint = (text: string) => string;

/** The few styles that the program uses. */
export interface Paints {
  /** Headings. */
  readonly strong: Paint;
  /** Text that can be typed. */
  readonly word: Paint;
  /** Less important text. */
  readonly faint: Paint;
}

const as = (text: string): string => text;
/** A style by the numbers that switch it on and off again. */
export const style =
  (on: number, off: number): Paint =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`;

/** The styles where there are colours, else none of them. */
export function paints(coloured: boolean): Paints {
  if (!coloured) return { strong: as, word: as, faint: as };
  return { strong: style(1, 22), word: style(36, 39), faint: style(90, 39) };
}
