import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { History, historyFile } from "#cli/shell/history.ts";
import { workFolder } from "../census.ts";

const folder = workFolder();

it.each([
  [{ XDG_STATE_HOME: "/x" }, "/x/census/history"],
  [{ HOME: "/y" }, /\/\.local\/state\/census\/history$/],
])("the history with %j is %s", (env, path) => {
  expect(historyFile(env)).toMatch(path);
});

it("the history is kept in a file that only its owner can read", () => {
  const path = join(folder, "state", "census", "history");
  const first = History.open(path);
  first.add("nodes{}");
  first.add("nodes{}");
  first.add("facts{ limit 1 }");
  expect(History.open(path).entries).toStrictEqual(["nodes{}", "facts{ limit 1 }"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

it("the history file is made private if it exists already", () => {
  const path = join(folder, "open", "history");
  mkdirSync(dirname(path), { mode: 0o700 });
  writeFileSync(path, "nodes{}\n");
  chmodSync(path, 0o644);
  expect(History.open(path).entries).toStrictEqual(["nodes{}"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("the history has a limited length", () => {
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
])("the history is not saved if %s", (_why, path) => {
  const history = History.open(path);
  history.add("nodes{}");
  expect(history.entries).toStrictEqual(["nodes{}"]);
  expect(existsSync(path ?? folder + "/history")).toBe(false);
});
