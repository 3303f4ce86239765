import { UsageError } from "../errors.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { outcomeCondition, outcomeKeys } from "#storage/states/node-state.ts";
import { matching, pqlText } from "../short-forms/pql.ts";
import { readResource } from "../short-forms/events.ts";
import { resourceConditions } from "../short-forms/resource-name.ts";

/** The options that select reports and events. */
export interface TailFilter {
  readonly certname?: string | undefined;
  readonly status?: string | undefined;
  readonly state?: string | undefined;
  readonly environment?: string | undefined;
  readonly class?: string | undefined;
  readonly resource?: string | undefined;
  readonly where?: string | undefined;
}

/** Conditions in PQL on reports, and on the events of these reports. */
export interface TailConditions {
  readonly reports: readonly string[];
  readonly events: readonly string[];
}

/**
 * Reports with an event of a class or a resource are found by it, and only such events are shown of them.
 * @throws UsageError for an invalid resource or condition
 */
export function tailConditions(filter: TailFilter): TailConditions {
  const resource = filter.resource === undefined ? [] : resourceConditions(readResource(filter.resource), "resource_");
  const events = [matching("containing_class", filter.class), ...resource].filter((each) => each !== undefined);
  const ofEvents = `hash in ${pqlText({ entity: "events", fields: ["report"], conditions: events })}`;
  const state = outcomeKeys.find((key) => key === filter.state);
  const reports = [
    matching("certname", filter.certname),
    matching("environment", filter.environment),
    filter.status === undefined ? undefined : `status = ${pqlString(filter.status)}`,
    state === undefined ? undefined : outcomeCondition("report", state),
    events.length === 0 ? undefined : ofEvents,
    filter.where === undefined ? undefined : `(${checkedCondition(filter.where)})`,
  ];
  return { reports: reports.filter((each) => each !== undefined), events };
}

/** A condition must not end the braces that it is put into, nor order or limit the reports. */
function checkedCondition(text: string): string {
  let depth = 0;
  // Outside of strings.
  for (const [token] of text.matchAll(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]|\b(?:limit|offset|order\s+by|group\s+by)\b/gi,
  )) {
    if (token === "(") depth++;
    if (token === ")" && --depth < 0) throw new UsageError("--where: a parenthesis is closed that was not opened");
    if (/^[a-z]/i.test(token) && depth === 0) {
      throw new UsageError(`--where is a condition, without ${token}`);
    }
  }
  if (text.trim() === "") throw new UsageError("--where must be a condition in PQL, e.g. 'noop = true'");
  return text;
}
