/**
 * Files that `npm test` leaves out, since they take three quarters of the time of all: `TEST_LENGTH=full npm test` runs every
 * file, as continuous integration does. A file of none of these kinds is not left out.
 */
export const longFiles: readonly string[] = [
  // A browser shows each page.
  "test/explorer/browser/**/*.test.ts",
  // Several servers, the services beside them, and what happens when any of these is killed.
  "test/replicas/**/*.test.ts",
  "test/app/shared-log.test.ts",
  "test/storage/fingerprint/following.test.ts",
  "test/storage/queue/replicated/*{log,takeover}.test.ts",
  // Other programs run against ours: PuppetDB's clients, and readers of packages.
  "test/clients/{octocatalog-diff,puppet,pypuppetdb}.test.ts",
  "test/packaging/{npm,release}/**/*.test.ts",
  "test/packaging/executable/{bundle,code-cache}.test.ts",
  // Limited memory, and values, rows or answers that fill it.
  "test/app/memory/**/*.test.ts",
  "test/app/query/{heavy-queries,large-query,repeated-answers}.test.ts",
  "test/storage/engine/{checkpoint-memory,release,snapshot}.test.ts",
  "test/storage/ingest/threads/{heap,pool}.test.ts",
  "test/storage/query/{huge-facts,in-parts,long-row}.test.ts",
  // Tables of several row groups.
  "test/storage/lifecycle/{compaction,join-groups}.test.ts",
  "test/storage/query/{kept-rows,many-memberships,striped-counts}.test.ts",
  "test/storage/query/compile/shared-rows.test.ts",
  // Kills, full disks, damaged files, and stores of earlier versions.
  "test/{app,storage}/durability/{disk-full,health,kill,memory-bomb,queue-loss,recovery}.test.ts",
  "test/faults/exit-codes.test.ts",
  "test/storage/{schema/upgrade,verify}.test.ts",
  // Random commands and queries, whose results are compared with those of a model or of another way.
  "test/app/explorer/past.test.ts",
  "test/storage/history/{archived,model,past}.test.ts",
  "test/storage/ingest/unchanged-content.test.ts",
  "test/storage/ingest/write/volatile-rows.test.ts",
  "test/storage/issues/preceding-changes.test.ts",
  "test/storage/query/{added-counts,facets}.test.ts",
  // Whole populations through archives, or from one server to another.
  "test/conformance/{export,import}.test.ts",
  "test/cli/{cache/cache,diff/diff,fixture/after-failure,history/archive,history/series}.test.ts",
  // Each example of the help, each name in each list; commands that run until they are ended.
  "test/cli/{examples,names/names,short-forms/answers}.test.ts",
  "test/cli/{backup,idle-memory,reader-gone,serve,shutdown,survival,follow/*,top/live}.test.ts",
];
