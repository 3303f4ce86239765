/** The parts of a comparison, in the order of the output. `nodes` is their state and which documents they have. */
export const diffParts = ["nodes", "facts", "packages", "resources", "edges", "reports"] as const;

export type DiffPart = (typeof diffParts)[number];
