import { describe, expect, it } from "vitest";
import { modeAllows, type Right } from "#app/check/permissions.ts";

const rights: readonly Right[] = ["read", "write", "search"];
const letters = { read: "r", write: "w", search: "x" } as const;

describe("the permissions of a file", () => {
  it.each<[what: string, mode: number, owner: number, group: number, isFolder: boolean, allowed: string]>([
    ["the owner's bits for the owner", 0o600, 10, 0, false, "rw"],
    ["nothing to an owner whose own bits say so, even if others may more", 0o077, 10, 0, false, ""],
    ["the group's bits for a member", 0o640, 0, 21, false, "r"],
    ["nothing to a member whose group may do nothing, even if others may more", 0o604, 0, 21, false, ""],
    ["the others' bits for everybody else", 0o755, 0, 0, true, "rx"],
    ["nothing to others", 0o770, 0, 0, true, ""],
  ])("are %s", (_what, mode, uid, gid, isFolder, expected) => {
    const file = { mode, uid, gid, isDirectory: () => isFolder };
    const allowed = rights.filter((right) => modeAllows({ uid: 10, gids: [20, 21] }, file, right));
    expect(allowed.map((right) => letters[right]).join("")).toBe(expected);
  });

  it("do not restrict root, except from running files without an x bit", () => {
    const root = { uid: 0, gids: [0] };
    const file = { mode: 0, uid: 10, gid: 10, isDirectory: () => false };
    expect(rights.map((right) => modeAllows(root, file, right))).toStrictEqual([true, true, false]);
    expect(modeAllows(root, { ...file, isDirectory: () => true }, "search")).toBe(true);
  });
});
