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
