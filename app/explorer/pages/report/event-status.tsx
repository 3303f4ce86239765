import type { JSX } from "preact";
import { eventStates } from "#storage/states/words.ts";
import { StateShape } from "../state/state-mark.tsx";
import { visibleText } from "../value/text.ts";

const order = Object.keys(eventStates);

/** Place of a status in a list: failures first, skipped resources last. */
export function rankOfStatus(status: string): number {
  const rank = order.indexOf(status);
  return rank === -1 ? order.length : rank;
}

/** The status of an event as shape, colour and word. A success that undid a change from outside is called corrective. */
export function EventStatus({
  status,
  isCorrective,
}: {
  readonly status: string;
  readonly isCorrective: boolean;
}): JSX.Element {
  const isCorrected = isCorrective && status === "success";
  const state = isCorrected ? "corrective" : (eventStates[status] ?? "unchanged");
  return (
    <span
      class={`state-mark ${status === "skipped" ? "muted" : `state-${state}`}`}
      title={isCorrective ? "The resource had been changed outside of Puppet" : undefined}
    >
      <StateShape state={state} />
      <span>{isCorrected ? "corrective" : visibleText(status)}</span>
    </span>
  );
}
