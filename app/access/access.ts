import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "#storage/errors.ts";
import { forbiddenRequest } from "../http/forbidden.ts";
import { targetOf } from "../http/request.ts";
import { type HttpResponse, textResponse } from "../http/response.ts";
import type { ListenerLog } from "../listeners/log.ts";
import { allowlist, readAllowlist } from "./allowlist.ts";
import { factsOf, type RequestFacts } from "./facts.ts";
import type { Family } from "./families.ts";
import { hostOfPeople, knownHost } from "./host.ts";
import { knownOrigin } from "./origin.ts";
import { policed, readPolicy } from "./policy.ts";
import type { Check } from "./check.ts";
import type { Identities } from "./identities.ts";
import type { Refusal } from "./refusal.ts";
import { judgedByRole, peopleOnlyRead, tokenPermissions } from "./by-role.ts";

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
  /** Recognises tokens and people; absent: nobody does. */
  readonly identities?: Identities | undefined;
  readonly log: ListenerLog;
}

/** The rules in force. */
export interface Access {
  readonly identities?: Identities | undefined;
  /** Why a request is denied; undefined when it is allowed. */
  judge(facts: RequestFacts): Refusal | undefined;
  /** Reads the files again; when one is invalid, the rules stay as they are and the log says why. Never throws. */
  reload(): Promise<void>;
}

/**
 * Reads the rules. In order: requests that other web pages make with a user's browser, invalid credentials, the
 * allowlist, then who may use which endpoint: by the policy, which replaces the rules for metrics and roles as another
 * `auth.conf` does in PuppetDB, by what a token is for, and that people only read.
 * @throws CensusError "bad-file" naming the file and what is wrong with it
 */
export async function openAccess(options: AccessOptions): Promise<Access> {
  const { log } = options;
  let checks = await readChecks(options);
  return {
    identities: options.identities,
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
  const { hasTls, hosts = [], origins = [], identities } = options;
  const people = identities?.peopleOrigin;
  const browser = [
    ...(people === undefined ? [] : [hostOfPeople(people)]),
    knownHost(hosts),
    knownOrigin(origins, people),
  ];
  const listed =
    options.allowlist === undefined ? [] : [allowlist(await readAllowlist(options.allowlist), options.allowlist)];
  const who = options.policy === undefined ? judgedByRole(hasTls) : policed(await readPolicy(options.policy));
  const unlessOpen: Check = (facts) => (facts.isOpen === true && facts.listener === "people" ? undefined : who(facts));
  return [...browser, ({ invalid }) => invalid, ...listed, unlessOpen, tokenPermissions, peopleOnlyRead];
}

function firstRefusal(checks: readonly Check[], facts: RequestFacts): Refusal | undefined {
  for (const check of checks) {
    const refusal = check(facts);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * The response to a request that the rules deny, with a line in the log that says why.
 * @param path as the router sees it; where there is no route, with dots and needless escapes resolved
 * @param endpoint its family, and whether everybody may use it on the listener for people
 * @returns undefined when the request is allowed
 */
export function accessRefusal(
  access: Access,
  log: ListenerLog,
  { message: request, response }: { readonly message: IncomingMessage; readonly response: ServerResponse },
  path: string,
  { family, isOpen = false }: { readonly family: Family | undefined; readonly isOpen?: boolean },
): HttpResponse | undefined {
  const { identities } = access;
  const judged = (): RequestFacts => ({ ...factsOf(request, path, family, identities?.identify), isOpen });
  const facts = judged();
  const refusal = access.judge(facts);
  if (refusal === undefined) {
    const isAdmitted = (): boolean => access.judge(judged()) === undefined;
    if (facts.subject !== undefined) identities?.admitted(request, response, facts, isAdmitted);
    return undefined;
  }
  log.warn(refusal.reason);
  return identities?.refused(request, facts, refusal) ?? refusalResponse(request, refusal);
}

function refusalResponse(request: IncomingMessage, { status = 403, kind, text }: Refusal): HttpResponse {
  if (text === undefined) return forbiddenRequest(request, targetOf(request).path);
  if (kind === undefined) return textResponse(text, status);
  const headers = { "content-type": "application/json; charset=utf-8", "www-authenticate": "Bearer" };
  return { status, headers, body: JSON.stringify({ kind: `puppetlabs.rbac/${kind}`, msg: text }) };
}
