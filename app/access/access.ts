import type { IncomingMessage } from "node:http";
import { messageOf } from "#storage/errors.ts";
import { forbiddenRequest } from "../http/forbidden.ts";
import { targetOf } from "../http/request.ts";
import { type HttpResponse, textResponse } from "../http/response.ts";
import type { ListenerLog } from "../listeners/log.ts";
import { allowlist, readAllowlist } from "./allowlist.ts";
import { factsOf, type RequestFacts } from "./facts.ts";
import type { Family } from "./families.ts";
import { knownHost } from "./host.ts";
import { metricsReaders } from "./metrics.ts";
import { knownOrigin } from "./origin.ts";
import { policed, readPolicy } from "./policy.ts";
import type { Check, Refusal } from "./refusal.ts";

/** The configuration of the access rules. */
export interface AccessOptions {
  /** Whether a TLS listener is configured. */
  readonly hasTls: boolean;
  /** Names of this service over plain HTTP on loopback: the host listened on, and `allowed-hosts`. */
  readonly hosts?: readonly string[];
  /** `allowed-origins`: origins of web pages that may use this service. */
  readonly origins?: readonly string[];
  /** Path of the `certificate-allowlist`. */
  readonly allowlist?: string;
  /** Path of the `authorization-policy`, which denies whatever it does not allow. */
  readonly policy?: string;
  readonly log: ListenerLog;
}

/** The rules in force. */
export interface Access {
  /** Why a request is denied; undefined when it is allowed. */
  judge(facts: RequestFacts): Refusal | undefined;
  /** Reads the files again; when one is invalid, the rules stay as they are and the log says why. Never throws. */
  reload(): Promise<void>;
}

/**
 * Reads the rules. In order: requests that other web pages make with a user's browser, the allowlist, then who may use
 * which endpoint: by the policy, which replaces the rule for metrics as another `auth.conf` does in PuppetDB.
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
 * The 403 for a request that the rules deny, with a line in the log that says why.
 * @param path as the router sees it; where there is no route, with dots and needless escapes resolved
 * @param family of the route
 * @returns undefined when the request is allowed
 */
export function accessRefusal(
  access: Access,
  log: ListenerLog,
  request: IncomingMessage,
  path: string,
  family: Family | undefined,
): HttpResponse | undefined {
  const refusal = access.judge(factsOf(request, path, family));
  if (refusal === undefined) return undefined;
  log.warn(refusal.reason);
  return refusal.text === undefined
    ? forbiddenRequest(request, targetOf(request).path)
    : textResponse(refusal.text, 403);
}
