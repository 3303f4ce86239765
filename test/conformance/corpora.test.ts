import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isLeftOut } from "#test/left-out.ts";
import { CORPUS_NAMES, readCorpus } from "./corpus.ts";
import { judgeCorpus } from "./judge-corpus.ts";
import { oracleFolder } from "./options.ts";

const oracle = oracleFolder(process.env);

// The recordings are kept beside the repository.
const isWithoutOracle = isLeftOut(
  "recorded answers",
  existsSync(oracle) ? undefined : `no ${oracle}; CENSUS_ORACLE names another folder`,
);

describe.skipIf(isWithoutOracle)("recorded answers", () => {
  // Hundreds of stores are filled: minutes where other files run beside it.
  it.each(CORPUS_NAMES)("%s: every judged answer is a recorded one", async (name) => {
    const { judgements, refused } = await judgeCorpus(readCorpus(oracle, name));
    expect(refused).toEqual([]);
    const wrong = judgements.filter(({ verdict }) => verdict.kind === "wrong");
    expect(wrong.map(({ recording }) => recording.id)).toEqual([]);
  });
});
