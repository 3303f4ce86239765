import type { CorpusName } from "./recording.ts";
import { countNames, percentRight, tallyByCategory, tallyOf, type Judgement, type Tally } from "./tally.ts";

const NUMBER_WIDTH = 12;

/** The verdicts on one corpus as a table by category, with the sum, the percentage and what was not judged. */
export function summary(name: CorpusName, judgements: readonly Judgement[], leftOut: number): string {
  const total = tallyOf(judgements);
  const rows = [...tallyByCategory(judgements), ["total", total] as [string, Tally]];
  const width = Math.max(...rows.map(([category]) => category.length), name.length) + 2;
  const columns = (first: string, cells: readonly (string | number)[]): string =>
    first.padEnd(width) + cells.map((cell) => String(cell).padStart(NUMBER_WIDTH)).join("");
  return [
    columns(name, ["right", "wrong", "not judged"]),
    ...rows.map(([category, tally]) => columns(category, [tally.right, tally.wrong, tally.notJudged])),
    `${name}: ${percent(total)} of ${total.right + total.wrong} judged answers are right`,
    ...generations(judgements).map(([generation, count]) => `  ${count} right as ${generation}`),
    ...reasons(judgements).map(([reason, count]) => `  ${count} not judged: ${reason}`),
    ...(leftOut === 0 ? [] : [`  ${leftOut} of ${leftOut + judgements.length} recordings left out by --only`]),
  ].join("\n");
}

/** The first wrong answers with their requests and differences. */
export function differences(judgements: readonly Judgement[], show: number): string {
  const wrong = judgements.flatMap(({ recording, verdict }) =>
    verdict.kind === "wrong" ? [{ recording, verdict }] : [],
  );
  const shown = wrong
    .slice(0, show)
    .map(({ recording: { id, request }, verdict }) =>
      [
        `WRONG ${id}: ${request.method} ${readable(request.path)}`,
        ...(request.body === undefined ? [] : [`  body ${request.body.slice(0, 300)}`]),
        ...verdict.differences.map((difference) => `  ${difference}`),
      ].join("\n"),
    );
  const more = wrong.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more wrong answers`] : [])].join("\n");
}

/** The verdicts on one corpus for a machine: tallies, every difference, every recording that was not judged. */
export function document(name: CorpusName, judgements: readonly Judgement[], leftOut: number): object {
  const total = tallyOf(judgements);
  return {
    corpus: name,
    ...total,
    percent: percentRight(total),
    leftOut,
    categories: Object.fromEntries(tallyByCategory(judgements)),
    generations: Object.fromEntries(generations(judgements)),
    recordings: judgements
      .filter(({ verdict }) => verdict.kind !== "right")
      .map(({ recording: { id, category, request }, verdict }) => ({ id, category, request, verdict })),
  };
}

function percent(tally: Tally): string {
  // Rounded down: 100 % means every one.
  return `${(Math.floor(percentRight(tally) * 100) / 100).toFixed(2)} %`;
}

function generations(judgements: readonly Judgement[]): [name: string, count: number][] {
  return countNames(judgements.flatMap(({ verdict }) => (verdict.kind === "right" ? [verdict.generation] : [])));
}

function reasons(judgements: readonly Judgement[]): [name: string, count: number][] {
  return countNames(judgements.flatMap(({ verdict }) => (verdict.kind === "not judged" ? [verdict.reason] : [])));
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
