import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isLeftOut, leaveOut } from "./left-out.ts";

const EXCUSE = "CENSUS_WITHOUT_CLIENTS";
const leave = (): void => leaveOut("curl", "apt-get install curl", EXCUSE);

beforeEach(() => {
  vi.stubEnv(EXCUSE, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it.each<NodeJS.ProcessEnv>([{ CI: undefined }, { CI: "" }, { CI: "false" }, { CI: "true", [EXCUSE]: "1" }])(
  "reports what is skipped with %j",
  (env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    leave();
    expect(written.mock.calls).toEqual([["SKIPPED: curl: apt-get install curl\n"]]);
  },
);

it.each<NodeJS.ProcessEnv>([{ CI: "true" }, { CI: "1" }, { CI: "true", [EXCUSE]: "0" }])("fails with %j", (env) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(leave).toThrow("curl cannot be tested here: apt-get install curl");
});

it("leaves out nothing without a reason", () => {
  vi.stubEnv("CI", "1");
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(isLeftOut("curl", undefined)).toBe(false);
  expect(written).not.toHaveBeenCalled();
});
