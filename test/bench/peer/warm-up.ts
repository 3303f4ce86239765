import { besides } from "../send-work.ts";
import { type Work, type WorkName, warmUpOf } from "./work.ts";

/**
 * Other nodes come first, until it gets no faster: what is compiled and cached is not what is measured, and both run for
 * weeks where they are used. PuppetDB has run for long by then and needs fewer; Census is started anew each time.
 */
export const WARM_UP_NODES = { Census: 500, peer: 100 } as const;

/** How often that many come, each time others; and how often the first of them are sent again, unchanged. */
const ROUNDS = 4;
const REPETITIONS = 24;

/** The work that warms a server up for a kind of work, in this order. The server has the content of the last one afterwards. */
export function warmUps(name: WorkName, work: Work): readonly Work[] {
  const rounds = Array.from({ length: ROUNDS }, (_, index) => warmUpOf(work, index + 1));
  if (!name.endsWith("unchanged")) return rounds;
  const [first = work] = rounds;
  return Array.from({ length: REPETITIONS }, () => first);
}

/** Commands that are measured, before the warm-up and after it. */
const MEASURED = 300;

/** What one server is sent, in this order. */
export interface ColdAndWarm {
  readonly cold: Work;
  readonly warmUps: readonly Work[];
  /** Commands of the same kind and number as the cold ones, of nodes whose content the server has not had before. */
  readonly warm: Work;
}

/** Divides new documents of a kind for a server that has none of it. */
export function coldAndWarm(name: "facts" | "catalogs", { commands, stored }: Work): ColdAndWarm {
  const others = Math.min(WARM_UP_NODES.Census, Math.floor(commands.length / 2));
  const count = Math.min(MEASURED, others);
  const part = (from: number, length: number): Work => ({
    commands: commands.slice(from, from + length),
    stored: { ...stored, count: length },
  });
  const cold = part(0, count);
  const rounds = warmUps(name, part(0, others)).map((work) => besides(work, cold));
  return { cold, warmUps: rounds, warm: rounds.slice(-1).reduce(besides, part(others, count)) };
}
