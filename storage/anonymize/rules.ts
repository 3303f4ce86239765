import type { Kind, RuledKind } from "./kinds.ts";

/** A complete word, or a pattern that is searched for. */
export type Test = string | RegExp;

/** The verdict for every subject that one of the tests matches. */
export type Rule = { readonly keep: readonly Test[] } | { readonly hide: readonly Test[] };

/** The policy of a profile for a kind: the first matching rule decides; if none matches, the value is hidden. */
export type Policy = "hide" | "keep" | readonly Rule[];

/** Only kinds with a subject can have rules. */
export type Profile = { readonly [K in Kind]: K extends RuledKind ? Policy : "hide" | "keep" };

/**
 * `kept`; `hidden`, because no rule keeps it; or `secret`: a rule requires that it is hidden, including everything
 * inside it.
 */
export type Verdict = "kept" | "hidden" | "secret";

/** The verdicts of a policy, cached. */
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
      // Names of facts and types occur repeatedly; there are not as many.
      if (this.#verdicts.size >= 20_000) this.#verdicts.clear();
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
