import type { Kind, RuledKind } from "./kinds.ts";

/** A whole word, or a pattern that is searched in it. */
export type Test = string | RegExp;

/** What becomes of whatever one of the tests holds for. */
export type Rule = { readonly keep: readonly Test[] } | { readonly hide: readonly Test[] };

/** What a profile does about a kind: the first rule that holds decides; where none does, the value is hidden. */
export type Policy = "hide" | "keep" | readonly Rule[];

/** Only kinds that have something to look at can have rules. */
export type Profile = { readonly [K in Kind]: K extends RuledKind ? Policy : "hide" | "keep" };

/**
 * `kept`; `hidden`, there being no rule to keep it; or `secret`: a rule says that it must be hidden, which then holds for
 * all that is inside it as well.
 */
export type Verdict = "kept" | "hidden" | "secret";

/** Subjects whose verdicts are remembered; names of facts and types come back all the time. */
const REMEMBERED = 20_000;

/** What a policy says of subjects, remembered. */
export class Judge {
  readonly #policy: Policy;
  readonly #verdicts = new Map<string, Verdict>();

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  of(subject: string): Verdict {
    if (this.#policy === "keep") return "kept";
    if (this.#policy === "hide") return "hidden";
    let verdict = this.#verdicts.get(subject);
    if (verdict === undefined) {
      verdict = judge(this.#policy, subject);
      if (this.#verdicts.size >= REMEMBERED) this.#verdicts.clear();
      this.#verdicts.set(subject, verdict);
    }
    return verdict;
  }
}

function judge(rules: readonly Rule[], subject: string): Verdict {
  for (const rule of rules) {
    const tests = "keep" in rule ? rule.keep : rule.hide;
    const holds = tests.some((test) => (typeof test === "string" ? test === subject : test.test(subject)));
    if (holds) return "keep" in rule ? "kept" : "secret";
  }
  return "hidden";
}
