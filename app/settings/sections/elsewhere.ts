/** Sections that PuppetDB reads and that have no effect here, and why (`reference/config.md §4, §7`). */
export const ignoredSections: Readonly<Record<string, string>> = {
  "read-database": "Census has an embedded database and needs no connection for reading",
  authorization: "the default rules for /status and /metrics apply; change them with [census] authorization-policy",
  nrepl: "Census has no remote console",
  repl: "removed from PuppetDB too",
  status: "the status endpoint needs no settings",
  sync: "Census does not synchronize with other servers",
  "web-router-service": "the routes are the same as PuppetDB's",
};
