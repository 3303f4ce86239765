/** What can be compared, in the order in which it is shown. `nodes` is their state and what there is of them. */
export const diffParts = ["nodes", "facts", "resources", "edges", "reports"] as const;

export type DiffPart = (typeof diffParts)[number];
