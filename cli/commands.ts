import type { Command, CommandList } from "./command.ts";

/** Loads a command when it is used, so that a start loads only one of them. */
type Loader = () => Promise<Command>;

/** All commands, under the headings of the program's help. */
const groups: Readonly<Record<string, Readonly<Record<string, Loader>>>> = {
  Start: {
    open: async () => (await import("./commands/open.ts")).open,
    follow: async () => (await import("./commands/follow.ts")).follow,
    serve: async () => (await import("./commands/serve.ts")).serve,
    import: async () => (await import("./commands/import.ts")).importCommand,
    export: async () => (await import("./commands/export.ts")).exportCommand,
    anonymize: async () => (await import("./commands/anonymize.ts")).anonymize,
    fixture: async () => (await import("./commands/fixture.ts")).fixture,
  },
  "Nodes, runs and code": {
    node: async () => (await import("./commands/node.ts")).node,
    nodes: async () => (await import("./commands/nodes.ts")).nodes,
    search: async () => (await import("./commands/search.ts")).search,
    facts: async () => (await import("./commands/facts.ts")).facts,
    reports: async () => (await import("./commands/reports.ts")).reports,
    events: async () => (await import("./commands/events.ts")).events,
    classes: async () => (await import("./commands/classes.ts")).classes,
    resources: async () => (await import("./commands/resources.ts")).resources,
    packages: async () => (await import("./commands/packages.ts")).packages,
    issues: async () => (await import("./commands/issues.ts")).issues,
    unused: async () => (await import("./commands/unused.ts")).unused,
    diff: async () => (await import("./commands/diff.ts")).diff,
    log: async () => (await import("./commands/log.ts")).log,
    top: async () => (await import("./commands/top.ts")).top,
  },
  Queries: {
    query: async () => (await import("./commands/query.ts")).query,
    sql: async () => (await import("./commands/sql.ts")).sql,
    check: async () => (await import("./commands/check.ts")).check,
    shell: async () => (await import("./commands/shell.ts")).shell,
    tail: async () => (await import("./commands/tail.ts")).tail,
    watch: async () => (await import("./commands/watch.ts")).watch,
    inventory: async () => (await import("./commands/inventory.ts")).inventory,
  },
  Operation: {
    status: async () => (await import("./commands/status.ts")).status,
    token: async () => (await import("./commands/token.ts")).token,
    user: async () => (await import("./commands/user.ts")).user,
    config: async () => (await import("./commands/config.ts")).config,
    "self-check": async () => (await import("./commands/self-check.ts")).selfCheck,
    verify: async () => (await import("./commands/verify.ts")).verify,
    backup: async () => (await import("./commands/backup.ts")).backup,
    "command-log": async () => (await import("./commands/command-log.ts")).commandLog,
    deactivate: async () => (await import("./commands/deactivate.ts")).deactivate,
    delete: async () => (await import("./commands/delete.ts")).deleteCommand,
    clean: async () => (await import("./commands/clean.ts")).clean,
    cache: async () => (await import("./commands/cache.ts")).cache,
    "dead-letters": async () => (await import("./commands/dead-letters.ts")).deadLetters,
  },
  Help: {
    help: async () => (await import("./commands/help.ts")).help,
    completion: async () => (await import("./commands/completion.ts")).completion,
  },
};

/** Former names of commands, which still work: the command, and the option that makes it the same. */
const former: ReadonlyMap<string, readonly [name: string, option: string]> = new Map([
  ["drift", ["events", "--corrective"]],
  ["blame", ["log", "--current"]],
]);

const loaders: ReadonlyMap<string, Loader> = new Map(Object.values(groups).flatMap((group) => Object.entries(group)));

/** All commands of the program. */
export const commandList: CommandList = {
  groups: Object.entries(groups).map(([title, commands]) => ({ title, names: Object.keys(commands) })),
  names: [...loaders.keys()],
  load: async (name) => {
    const [present, ...options] = former.get(name) ?? [name];
    const command = await loaders.get(present)?.();
    if (command === undefined || options.length === 0) return command;
    return { ...command, run: (words, commands) => command.run([...options, ...words], commands) };
  },
  loadAll: async () => Promise.all([...loaders.values()].map((load) => load())),
};
