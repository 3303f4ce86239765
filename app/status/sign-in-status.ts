import type { SignIn } from "../sign-in/sign-in.ts";

/** What is known of tokens and people, as the status has it at level `debug`. */
export interface SignInStatus {
  /** `valid`, or since when it is not and why; null: there is none. */
  readonly access_file: string | null;
  readonly tokens: number;
  readonly users: number;
  /** Sign-ins by password or provider since the start, and attempts that failed. */
  readonly sessions_begun: number;
  readonly refused: number;
  /** Of OpenID Connect: `reachable`, or since when it is not and why; null: there is none. */
  readonly provider: string | null;
}

export function signInStatus({ accessFile: { path, current, problem }, results, people }: SignIn): SignInStatus {
  const { provider } = people ?? {};
  const sum = (isOk: boolean): number =>
    [...results].reduce((total, [key, count]) => total + (key.endsWith(" ok") === isOk ? count : 0), 0);
  return {
    access_file: path === undefined ? null : stateText("valid", "invalid", problem),
    tokens: current.tokens.size,
    users: current.users.size,
    sessions_begun: sum(true),
    refused: sum(false),
    provider: provider === undefined ? null : stateText("reachable", "unreachable", provider.problem),
  };
}

function stateText(good: string, bad: string, problem: SignIn["accessFile"]["problem"]): string {
  return problem === undefined ? good : `${bad} since ${problem.since}: ${problem.text}`;
}
