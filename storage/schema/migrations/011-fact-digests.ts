/**
 * Digests of a node's facts that its history records, and of its packages (`ingest/fact-digests.ts`): where they are those of a
 * new fact set, the stored one need not be read. After a start that would be the facts of all nodes, which a large fleet sends
 * faster than they can be read. NULL is unknown.
 */
export const factDigests = {
  version: 11,
  name: "fact digests",
  statements: [
    "ALTER TABLE nodes ADD COLUMN facts_steady_digest VARCHAR",
    "ALTER TABLE nodes ADD COLUMN packages_digest VARCHAR",
  ],
} as const;
