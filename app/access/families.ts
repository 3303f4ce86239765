/**
 * The families of endpoints that an authorization policy names, each with its description. `pages` are shown by a
 * browser and contain no data themselves.
 */
export const families = {
  query: "Queries, in AST or PQL, and the data of the explorer",
  command: "Commands: facts, catalogs, reports and other changes of nodes",
  archive: "Export and import of everything that is stored",
  admin: "Maintenance",
  status: "Health, version and description of the service",
  metrics: "Metrics",
  pages: "Pages for browsers",
} as const;

export type Family = keyof typeof families;

/** Every family, in the order in which they are declared. */
export const familyNames = Object.keys(families) as readonly Family[];
