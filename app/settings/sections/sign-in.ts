import { CensusError, messageOf } from "#storage/errors.ts";
import { readNetworks } from "../../sign-in/proxies.ts";
import { duration } from "../kinds/durations.ts";
import { address, host, list, path, port, words } from "../kinds/simple.ts";
import { optional, setting } from "../setting.ts";

/** Microseconds. */
const HOUR = 3_600_000_000n;

/** The settings of `[census]` about tokens and people (`docs/sign-in.md`). */
export const signIn = {
  "access-file": optional({
    kind: path,
    unset: "no tokens and no users",
    help: "File of tokens, users and roles of groups, which census token and census user change (docs/sign-in.md)",
  }),
  "audit-log": optional({
    kind: path,
    unset: "the log",
    help: "Write what happens with tokens and sessions to this file, one line of JSON each",
  }),
  "people-port": optional({
    kind: port,
    unset: "no listener for people",
    help: "Port on which people sign in and read, without client certificates (docs/sign-in.md)",
  }),
  "people-host": setting({ kind: host, default: "localhost", help: "Address of people-port; 0.0.0.0: all interfaces" }),
  "people-cert": optional({
    kind: path,
    unset: "ssl-cert; with people-proxies none: plain HTTP",
    help: "Certificate of people-port, which browsers trust, PEM",
  }),
  "people-key": optional({
    kind: path,
    unset: "ssl-key",
    help: "Private key of people-cert, PEM, without a pass phrase",
  }),
  "people-cert-chain": optional({
    kind: path,
    unset: "none; of ssl-cert: ssl-cert-chain",
    help: "Intermediate certificates of people-cert, PEM",
  }),
  "people-url": optional({
    kind: address,
    unset: "https://HOST:PORT of people-port",
    help: "What people type, e.g. https://census.example.com; needed with proxies, load balancers and oidc-issuer",
  }),
  "people-proxies": optional({
    kind: list,
    unset: "none",
    help: "Addresses or networks of reverse proxies and load balancers, which alone may connect to people-port",
    check: (items) => {
      try {
        readNetworks(items);
      } catch (error) {
        throw new CensusError("bad-input", `people-proxies: ${messageOf(error)}`, { cause: error });
      }
    },
  }),
  "people-proxy-user-header": optional({
    kind: words,
    unset: "none",
    help: "Header in which people-proxies name the user who has signed in there, e.g. Remote-User",
  }),
  "people-proxy-groups-header": optional({
    kind: words,
    unset: "none",
    help: "Header in which people-proxies send the user's groups, with commas or | between them, e.g. Remote-Groups",
  }),
  "session-key-file": optional({
    kind: path,
    unset: "session.key in the data directory",
    help: "File with the key of sessions, 64 hex digits; the same on all servers of a site. A second line is an older key",
  }),
  "session-idle": setting({ kind: duration, default: HOUR, help: "A session ends after this time without a request" }),
  "session-lifetime": setting({ kind: duration, default: HOUR * 12n, help: "A session ends after this time" }),
  "oidc-issuer": optional({
    kind: address,
    unset: "no single sign-on",
    help: "Issuer of the OpenID Connect provider, e.g. https://sso.example.com/realms/main",
  }),
  "oidc-client-id": optional({ kind: words, unset: "none", help: "What Census is called at the provider" }),
  "oidc-client-secret-file": optional({
    kind: path,
    unset: "a public client, with PKCE alone",
    help: "File with the secret of the client",
  }),
  "oidc-ca-cert": optional({
    kind: path,
    unset: "the authorities that Node.js trusts",
    help: "CA of the provider's certificate, PEM",
  }),
  "oidc-scopes": setting({ kind: words, default: "openid profile", help: "Scopes to request, separated by spaces" }),
  "oidc-user-claim": setting({ kind: words, default: "preferred_username", help: "Claim with the user's name" }),
  "oidc-groups-claim": setting({ kind: words, default: "groups", help: "Claim with the user's groups" }),
  "oidc-label": setting({ kind: words, default: "Sign in with SSO", help: "Text of the link to the provider" }),
} as const;
