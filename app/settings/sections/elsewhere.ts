/** Sections that the peer reads and that mean nothing here as a whole, and why (`reference/config.md §4, §7`). */
export const ignoredSections: Readonly<Record<string, string>> = {
  "read-database": "the database is inside Census: reading needs no other connection",
  authorization: "the shipped rules for /status and /metrics hold; others are said in [census] authorization-policy",
  nrepl: "there is no remote console",
  repl: "retired by PuppetDB as well",
  status: "the status page needs no settings",
  sync: "Census does not synchronize with other servers",
  "web-router-service": "the routes are where PuppetDB has them",
};
