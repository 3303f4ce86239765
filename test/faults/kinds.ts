import type { Random } from "#fixtures/random.ts";
import type { Faults } from "./shim.ts";

/** Every kind of fault that a disk may have while the server runs. */
export const faultKinds = {
  EIO: { calls: ["write"], error: "EIO", style: "fail" },
  ENOSPC: { calls: ["write", "allocate"], error: "ENOSPC", style: "fail" },
  EDQUOT: { calls: ["write", "allocate"], error: "EDQUOT", style: "fail" },
  "short write": { calls: ["write"], error: "ENOSPC", style: "short" },
  "torn write": { calls: ["write"], error: "EIO", style: "torn" },
  "torn write, no truncation": { calls: ["write", "truncate"], error: "EIO", style: "torn" },
  fsync: { calls: ["sync"], error: "EIO", style: "fail" },
  truncation: { calls: ["truncate"], error: "EIO", style: "fail" },
  EMFILE: { calls: ["open"], error: "EMFILE", style: "fail" },
  "rename and delete": { calls: ["rename", "unlink"], error: "EIO", style: "fail" },
  "every call": {
    calls: ["write", "sync", "truncate", "open", "rename", "unlink", "allocate"],
    error: "EIO",
    style: "fail",
  },
} as const satisfies Record<string, Pick<Faults, "calls" | "error" | "style">>;

export type FaultKind = keyof typeof faultKinds;

export const faultNames = Object.keys(faultKinds) as FaultKind[];

/** Calls that are few: each of them may well fail. */
const rare = ["open", "rename", "unlink", "truncate"];

/** Faults of a kind with random frequency, on random files. */
export function faultsOf(kind: FaultKind, random: Random): Faults {
  const faults: Pick<Faults, "calls" | "error" | "style"> = faultKinds[kind];
  const isRare = faults.calls.every((call) => rare.includes(call));
  return {
    ...faults,
    perMille: random.pick(isRare ? [300, 1000] : [20, 100, 500, 500, 1000]),
    skip: !isRare && random.chance(0.3) ? random.integer(1, 60) : 0,
    target: isRare
      ? "all"
      : random.weighted([
          ["all", 4],
          ["log", 3],
          ["queue", faults.calls[0] === "sync" ? 0 : 2],
          ["database", 2],
        ]),
  };
}
