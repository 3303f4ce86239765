import type { Command, CommandList } from "./command.ts";

/** Each command is loaded when it is used, so that a start loads only one of them. */
const loaders = {
  open: async () => (await import("./commands/open.ts")).open,
  serve: async () => (await import("./commands/serve.ts")).serve,
  import: async () => (await import("./commands/import.ts")).importCommand,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  anonymize: async () => (await import("./commands/anonymize.ts")).anonymize,
  query: async () => (await import("./commands/query.ts")).query,
  node: async () => (await import("./commands/node.ts")).node,
  nodes: async () => (await import("./commands/nodes.ts")).nodes,
  facts: async () => (await import("./commands/facts.ts")).facts,
  reports: async () => (await import("./commands/reports.ts")).reports,
  events: async () => (await import("./commands/events.ts")).events,
  search: async () => (await import("./commands/search.ts")).search,
  packages: async () => (await import("./commands/packages.ts")).packages,
  classes: async () => (await import("./commands/classes.ts")).classes,
  resources: async () => (await import("./commands/resources.ts")).resources,
  drift: async () => (await import("./commands/drift.ts")).drift,
  unused: async () => (await import("./commands/unused.ts")).unused,
  inventory: async () => (await import("./commands/inventory.ts")).inventory,
  diff: async () => (await import("./commands/diff.ts")).diff,
  sql: async () => (await import("./commands/sql.ts")).sql,
  shell: async () => (await import("./commands/shell.ts")).shell,
  status: async () => (await import("./commands/status.ts")).status,
  config: async () => (await import("./commands/config.ts")).config,
  verify: async () => (await import("./commands/verify.ts")).verify,
  backup: async () => (await import("./commands/backup.ts")).backup,
  cache: async () => (await import("./commands/cache.ts")).cache,
  fixture: async () => (await import("./commands/fixture.ts")).fixture,
  "dead-letters": async () => (await import("./commands/dead-letters.ts")).deadLetters,
  completion: async () => (await import("./commands/completion.ts")).completion,
  help: async () => (await import("./commands/help.ts")).help,
} as const satisfies Record<string, () => Promise<Command>>;

/** All commands of the program. */
export const commandList: CommandList = {
  names: Object.keys(loaders),
  load: async (name) => (Object.hasOwn(loaders, name) ? loaders[name as keyof typeof loaders]() : undefined),
  loadAll: async () => Promise.all(Object.values(loaders).map((load) => load())),
};
