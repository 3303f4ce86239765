import type { IncomingMessage } from "node:http";
import type { HttpMetrics } from "#storage/metrics/families/http.ts";
import type { Store } from "#storage/store.ts";
import { type Access, refusalOf } from "../access/access.ts";
import { type Answer, send } from "../http/answer.ts";
import type { Handler } from "../http/entrance.ts";
import { faultAnswer, type FaultListener } from "../http/fault.ts";
import { targetOf } from "../http/request.ts";
import type { ListenerLog } from "../listeners/log.ts";
import { measure } from "../metrics/measure.ts";
import { answerCommand, commandPath } from "../routes/commands.ts";
import type { CommandSettings } from "./settings.ts";

export interface LaneOptions {
  readonly store: Store;
  readonly settings: CommandSettings;
  readonly access: Access;
  readonly log: ListenerLog;
  readonly http: HttpMetrics;
  readonly onFault?: FaultListener | undefined;
}

/**
 * A lane of its own for what a fleet sends all day: the path of commands, spelled as every client spells it, goes from
 * Node's server to its route and back, with the same checks and counts as everything else but without what a framework
 * makes of each request. Other spellings, and all the rest, go to `others`.
 */
export function commandLane(options: LaneOptions, others: Handler): Handler {
  const { http } = options;
  return (request, response) => {
    const { path } = targetOf(request);
    if (path !== commandPath) return others(request, response);
    measure(http, path, response);
    return answered(options, request).then((answer) => send(response, answer));
  };
}

async function answered(
  { store, settings, access, log, onFault }: LaneOptions,
  request: IncomingMessage,
): Promise<Answer> {
  try {
    return refusalOf(access, log, request, commandPath) ?? (await answerCommand(store, settings, request));
  } catch (error) {
    return faultAnswer(error, request, onFault);
  }
}
