/**
 * Tests whose result depends on how the program was made, or which start each command once: `npm run test:packaged` runs them,
 * and those of the command line, with the packaged program.
 */
export const testsOfPackaged: readonly string[] = [
  "test/app/durability/**/*.test.ts",
  "test/cli/{cache,fixture}/**/*.test.ts",
  "test/cli/examples.test.ts",
  "test/clients/**/*.test.ts",
  "test/explorer/browser/{pages,tasks}.test.ts",
  "test/packaging/{executable,release}/**/*.test.ts",
];
