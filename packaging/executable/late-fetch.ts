import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/** The HTTP framework, and the server that it runs on. */
const framework = /node_modules[/\\](?:h3|srvx)[/\\].*\.mjs$/;

const standIns = join(import.meta.dirname, "inside/fetch-classes.ts");

/**
 * Has the HTTP framework load without Node's own fetch, which takes a seventh of a start, and which no answer of ours
 * needs: its classes are asked of `inside/fetch-classes.ts`, by their names and as properties of the global object. Where
 * the framework puts one of its own there, it is left alone.
 */
export const lateFetch: Plugin = {
  name: "late-fetch",
  setup: (building) => {
    building.onLoad({ filter: framework }, ({ path }) => {
      const names = "Headers|Request|Response|ReadableStream";
      const asProperties = new RegExp(`\\bglobalThis\\.(?=(?:${names})\\b(?! = ))`, "g");
      const from = JSON.stringify(standIns);
      const head = `import * as fetchClasses from ${from};import{${names.replaceAll("|", ",")}}from${from};`;
      return { contents: head + readFileSync(path, "utf8").replaceAll(asProperties, "fetchClasses."), loader: "js" };
    });
  },
};
