import type { IssueIdentity, Place } from "./issue.ts";
import { GrowingNumbers } from "./growing-numbers.ts";

/** The stored properties of a failed report. */
export interface KnownReport {
  readonly id: number;
  /** A number that another report with this id would hardly have ({@link reportMark}). */
  readonly mark: number;
  readonly node: number;
  readonly certname: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly environment: string | null;
  readonly hash: string;
  readonly outcome: Outcome;
  readonly isOfAgent: boolean;
  readonly failures: readonly KnownFailure[];
}

export interface KnownFailure {
  readonly identity: IssueIdentity;
  readonly place: Place | null;
  readonly class: string | null;
  readonly count: number;
}

/** The outcome of a report's run: `hidden` did not fail because it used a cached catalog on failure. */
export const outcomes = ["failed", "hidden", "changed", "unchanged"] as const;

export type Outcome = (typeof outcomes)[number];

/** An issue, with values from its latest report. */
export interface KnownIssue extends IssueIdentity {
  place: Place | null;
  class: string | null;
  /** Of that report. */
  latest: number;
}

/** A failed report and its failures, by their numbers. */
export interface Visit {
  /** The report's index, for {@link KnownFailures}. */
  readonly index: number;
  readonly node: number;
  readonly time: number;
  readonly environment: string | null;
  readonly isOfAgent: boolean;
}

/** The failures of all reports that were read, in columns: there may be some hundred thousand. */
export class KnownFailures {
  readonly #ids = new GrowingNumbers();
  readonly #marks = new GrowingNumbers();
  readonly #nodes = new GrowingNumbers();
  readonly #times = new GrowingNumbers();
  readonly #environments = new GrowingNumbers();
  /** The outcome, and 10 more for reports that are not an agent's. */
  readonly #kinds = new GrowingNumbers();
  readonly #hashes: string[] = [];
  /** The end of each report's failures. */
  readonly #ends = new GrowingNumbers();
  readonly #issues = new GrowingNumbers();
  readonly #counts = new GrowingNumbers();

  readonly #certnames = new Map<number, string>();
  readonly #environmentNames: (string | null)[] = [];
  readonly #environmentNumbers = new Map<string | null, number>();
  readonly #known: KnownIssue[] = [];
  readonly #numbers = new Map<string, number>();
  #markSum = 0;

  /** The number of reports. */
  get reports(): number {
    return this.#ids.length;
  }

  /** The number of their failures. */
  get failures(): number {
    return this.#issues.length;
  }

  /** The sum of all marks. */
  get markSum(): number {
    return this.#markSum;
  }

  add(report: KnownReport): void {
    this.#ids.push(report.id);
    this.#marks.push(report.mark);
    this.#markSum += report.mark;
    this.#nodes.push(report.node);
    this.#times.push(report.time);
    this.#environments.push(this.#environmentNumber(report.environment));
    this.#kinds.push(outcomes.indexOf(report.outcome) + (report.isOfAgent ? 0 : OTHERS));
    this.#hashes.push(report.hash);
    this.#certnames.set(report.node, report.certname);
    for (const failure of report.failures) {
      this.#issues.push(this.#issueNumber(failure, report.time));
      this.#counts.push(failure.count);
    }
    this.#ends.push(this.#issues.length);
  }

  /**
   * The same without deleted reports.
   * @param stored the mark of each report by its id
   */
  only(stored: ReadonlyMap<number, number>): KnownFailures {
    const left = new KnownFailures();
    for (let index = 0; index < this.reports; index++) {
      if (stored.get(this.#ids.at(index)) === this.#marks.at(index)) left.add(this.#report(index));
    }
    return left;
  }

  #report(index: number): KnownReport {
    const failures: KnownFailure[] = [];
    this.eachFailure(index, (number, count) => {
      const identity = this.issue(number);
      failures.push({ identity, place: identity.place, class: identity.class, count });
    });
    const { node, time, environment, isOfAgent } = this.visit(index);
    const [id, mark] = [this.#ids.at(index), this.#marks.at(index)];
    const [hash, outcome] = [this.hash(index), this.outcome(index)];
    return { id, mark, node, certname: this.certname(node), time, environment, hash, outcome, isOfAgent, failures };
  }

  /** @param index below {@link reports} */
  visit(index: number): Visit {
    return {
      index,
      node: this.#nodes.at(index),
      time: this.#times.at(index),
      environment: this.#environmentNames[this.#environments.at(index)] ?? null,
      isOfAgent: this.#kinds.at(index) < OTHERS,
    };
  }

  /** Calls back with the number of the issue and the count of each failure of a report. */
  eachFailure(index: number, call: (issue: number, count: number) => void): void {
    const begin = index === 0 ? 0 : this.#ends.at(index - 1);
    const end = this.#ends.at(index);
    for (let at = begin; at < end; at++) call(this.#issues.at(at), this.#counts.at(at));
  }

  id(index: number): number {
    return this.#ids.at(index);
  }

  hash(index: number): string {
    return this.#hashes[index] ?? "";
  }

  outcome(index: number): Outcome {
    return outcomes[this.#kinds.at(index) % OTHERS] ?? "unchanged";
  }

  certname(node: number): string {
    return this.#certnames.get(node) ?? "";
  }

  issue(number: number): KnownIssue {
    const issue = this.#known[number];
    if (issue === undefined) throw new Error(`there is no issue ${number}`);
    return issue;
  }

  /** The number of the issue with that id; undefined if no report has it. */
  numbered(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  #environmentNumber(name: string | null): number {
    let number = this.#environmentNumbers.get(name);
    if (number === undefined) {
      number = this.#environmentNames.push(name) - 1;
      this.#environmentNumbers.set(name, number);
    }
    return number;
  }

  #issueNumber({ identity, place, class: containing }: KnownFailure, time: number): number {
    const known = this.#numbers.get(identity.id);
    const issue = known === undefined ? undefined : this.#known[known];
    if (known === undefined || issue === undefined) {
      const { id, kind, type, title, message } = identity;
      const number = this.#known.push({ id, kind, type, title, message, place, class: containing, latest: time }) - 1;
      this.#numbers.set(id, number);
      return number;
    }
    if (time >= issue.latest) Object.assign(issue, { place, class: containing, latest: time });
    return known;
  }
}

const OTHERS = 10;
