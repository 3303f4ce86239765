import { describe, expect, it } from "vitest";
import { CensusError, messageOf } from "#storage/errors.ts";
import { isTransient } from "#storage/queue/transient-errors.ts";

const system = (code: string): Error => Object.assign(new Error(`${code}: something, write`), { code });

describe("an error", () => {
  // As the engine puts it on a disk that is full, and after that.
  it.each([
    'TransactionContext Error: Failed to commit: Could not write file "census.duckdb.wal": No space left on device',
    'TransactionContext Error: Failed to commit: Cannot open file "census.duckdb.wal": Permission denied',
    "FATAL Error: Transaction COMMIT succeeded and is durable, but the autocheckpoint failed. Reopen the database instance to recover.",
    "FATAL Error: Failed: database has been invalidated because of a previous fatal error.",
    'IO Error: Could not read from file "census.duckdb": Input/output error',
    "Failed to query: connection disconnected",
  ])("is transient with the engine's message: %s", (message) => {
    expect(isTransient(new Error(message))).toBe(true);
  });

  it.each(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE"])("is transient with the system's code %s", (code) => {
    expect(isTransient(system(code))).toBe(true);
  });

  // Node has no name for it.
  it("is transient if a quota is exceeded, and is reported by its name", () => {
    const fault = Object.assign(new Error("Unknown system error -122: Unknown system error -122, write"), {
      errno: -122,
      code: "Unknown system error -122",
    });
    expect(isTransient(fault)).toBe(true);
    expect(messageOf(fault)).toMatch(/^EDQUOT: disk quota exceeded: .*, write$/);
  });

  it("is transient with the code unavailable", () => {
    expect(isTransient(new CensusError("unavailable", "is being reopened"))).toBe(true);
  });

  it.each<[what: string, error: unknown]>([
    ["a payload that is wrong", new CensusError("bad-input", "values: missing")],
    ["a refusal that quotes a payload", new Error('Conversion Error: Could not convert "IO Error" to INTEGER')],
    ["a refusal of the engine's", new Error("TransactionContext Error: Failed to commit: constraint violated")],
    ["a file that is not there", system("ENOENT")],
    ["a defect of ours", new TypeError("undefined is not a function")],
    ["what is no error", "IO Error"],
  ])("is permanent: %s", (_what, error) => {
    expect(isTransient(error)).toBe(false);
  });
});
