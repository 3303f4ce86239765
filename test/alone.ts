/**
 * Tests with a process of their own: they change something of it that others would notice (memory limits, timers, variables,
 * signals), or need much memory. All others share the modules that one worker has loaded: loading them for each file takes a
 * third of the processor time.
 */
export const alone: readonly string[] = [
  "test/left-out.test.ts",
  "test/app/{archive,durability,listeners,memory,query}/**/*.test.ts",
  "test/app/explorer/change-feed.test.ts",
  "test/cli/{fixture,output}/**/*.test.ts",
  // A store whose directory was opened keeps other users from files that its process makes later.
  "test/cli/config-check.test.ts",
  // It lists the cached archives of its process.
  "test/cli/history/series.long.test.ts",
  "test/cli/survival.long.test.ts",
  // Other users read the files that they make.
  "test/packaging/release/{image,packages}.long.test.ts",
  "test/replicas/**/*.test.ts",
  "test/storage/{durability,memory,queue}/**/*.test.ts",
  "test/storage/ingest/threads/priority.test.ts",
  "test/storage/query/**/{huge-facts,in-parts}.long.test.ts",
];
