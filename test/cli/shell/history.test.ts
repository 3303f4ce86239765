import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { History, historyFile } from "#cli/shell/history.ts";
import { workFolder } from "../census.ts";

const folder = workFolder();

it.each([
  [{ XDG_STATE_HOME: "/x" }, "/x/census/history"],
  [{ HOME: "/y" }, /\/\.local\/state\/census\/history$/],
])("with %j it is %s", (env, path) => {
  expect(historyFile(env)).toMatch(path);
});

it("is remembered from one time to the next, in a file that is its owner's alone", () => {
  const path = join(folder, "state", "census", "history");
  const first = History.open(path);
  first.add("nodes{}");
  first.add("nodes{}");
  first.add("facts{ limit 1 }");
  expect(History.open(path).entries).toStrictEqual(["nodes{}", "facts{ limit 1 }"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

it("takes away what others may do with a file that is there already", () => {
  const path = join(folder, "open", "history");
  mkdirSync(dirname(path), { mode: 0o700 });
  writeFileSync(path, "nodes{}\n");
  chmodSync(path, 0o644);
  expect(History.open(path).entries).toStrictEqual(["nodes{}"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("does not grow for ever", () => {
  const path = join(folder, "long", "history");
  mkdirSync(dirname(path), { mode: 0o700 });
  writeFileSync(path, Array.from({ length: 2500 }, (_, index) => `nodes{ limit ${index} }\n`).join(""));
  const history = History.open(path);
  history.add("last");
  expect(history.entries).toHaveLength(1000);
  expect(history.entries[0]).toBe("nodes{ limit 1501 }");
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(1002);
});

it.each([
  ["no file is wanted", undefined],
  ["there can be none", join(import.meta.filename, "history")],
])("where %s, nothing is kept beyond the end", (_why, path) => {
  const history = History.open(path);
  history.add("nodes{}");
  expect(history.entries).toStrictEqual(["nodes{}"]);
  expect(existsSync(path ?? folder + "/history")).toBe(false);
});
