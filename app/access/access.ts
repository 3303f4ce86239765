import type { IncomingMessage } from "node:http";
import type { Middleware } from "h3";
import { messageOf } from "#storage/errors.ts";
import { type Answer, inText } from "../http/answer.ts";
import { asResponse } from "../http/answers.ts";
import { forbiddenRequest } from "../http/forbidden.ts";
import { nodeRequest, targetOf } from "../http/request.ts";
import type { ListenerLog } from "../listeners/log.ts";
import { allowlist, readAllowlist } from "./allowlist.ts";
import { factsOf, type RequestFacts } from "./facts.ts";
import { knownHost } from "./host.ts";
import { metricsReaders } from "./metrics.ts";
import { knownOrigin } from "./origin.ts";
import { policed, readPolicy } from "./policy.ts";
import type { Check, Refusal } from "./refusal.ts";

/** What the rules are made from. */
export interface AccessOptions {
  /** Whether a TLS listener is configured. */
  readonly hasTls: boolean;
  /** Names under which this service is known over plain HTTP on loopback: the host listened on, `allowed-hosts`. */
  readonly hosts?: readonly string[];
  /** `allowed-origins`: origins of web pages that may use this service. */
  readonly origins?: readonly string[];
  /** Path of the `certificate-allowlist`. */
  readonly allowlist?: string;
  /** Path of the `authorization-policy`. With one, what it does not allow is denied. */
  readonly policy?: string;
  readonly log: ListenerLog;
}

/** The rules that hold. */
export interface Access {
  /** What is wrong with a request, if anything. */
  judge(facts: RequestFacts): Refusal | undefined;
  /** Reads the files again; when one is bad, the rules that held hold on and the log says why. Never throws. */
  reload(): Promise<void>;
}

/**
 * The rules in the order in which they are asked: is it a web page that uses somebody's browser; who is it; what does
 * it want. A policy takes the place of the rule for metrics, as another `auth.conf` does in the peer. Which methods
 * there are is the routes' own affair.
 * @throws CensusError "bad-file" naming the file and what is wrong with it
 */
export async function openAccess(options: AccessOptions): Promise<Access> {
  const { log } = options;
  let checks = await readChecks(options);
  return {
    judge: (facts) => firstRefusal(checks, facts),
    reload: async () => {
      try {
        checks = await readChecks(options);
      } catch (error) {
        log.warn(`keeping the current access rules: ${messageOf(error)}`);
      }
    },
  };
}

async function readChecks(options: AccessOptions): Promise<readonly Check[]> {
  const { hasTls, hosts = [], origins = [] } = options;
  const browser = [knownHost(hosts), knownOrigin(origins)];
  const listed =
    options.allowlist === undefined ? [] : [allowlist(await readAllowlist(options.allowlist), options.allowlist)];
  const who = options.policy === undefined ? metricsReaders(hasTls) : policed(await readPolicy(options.policy));
  return [...browser, ...listed, who];
}

function firstRefusal(checks: readonly Check[], facts: RequestFacts): Refusal | undefined {
  for (const check of checks) {
    const refusal = check(facts);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * What a request that may not be answered gets; a line of the log says why.
 * @param path as the router sees it
 */
export function refusalOf(
  access: Access,
  log: ListenerLog,
  request: IncomingMessage,
  path: string,
): Answer | undefined {
  const refusal = access.judge(factsOf(request, path));
  if (refusal === undefined) return undefined;
  log.warn(refusal.reason);
  return refusal.text === undefined ? forbiddenRequest(request, targetOf(request).path) : inText(refusal.text, 403);
}

/** Stands before every route: answers 403 in place of what may not pass, and tells the log. */
export function guard(access: Access, log: ListenerLog): Middleware {
  return (event) => {
    const refusal = refusalOf(access, log, nodeRequest(event), event.url.pathname);
    return refusal && asResponse(refusal);
  };
}
