import type { OriginAddress } from "./kinds/origins.ts";
import type { Values } from "./table.ts";

/** The servers that this one follows. */
export interface FollowSettings {
  readonly origins: readonly OriginAddress[];
  /** Milliseconds between looks. */
  readonly intervalMs: number;
  /** Paths of PEM files; undefined: not shown, or the system's authorities. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly cacert: string | undefined;
  /** Path of the file with a token. */
  readonly tokenFile: string | undefined;
  /** Whether commands are accepted too. */
  readonly acceptsCommands: boolean;
}

/** Undefined where no server is followed. The certificate of the service itself is used where no other one is set. */
export function readFollow({ census, jetty }: Values): FollowSettings | undefined {
  const { follow: origins, "follow-cert": cert, "follow-key": key, "follow-cacert": cacert } = census;
  const {
    "follow-interval": interval,
    "follow-token-file": tokenFile,
    "follow-accept-commands": acceptsCommands,
  } = census;
  if (origins === undefined) return undefined;
  const isOwn = cert === undefined && key === undefined;
  return {
    origins,
    intervalMs: Number(interval / 1000n),
    cert: isOwn ? jetty["ssl-cert"] : cert,
    key: isOwn ? jetty["ssl-key"] : key,
    cacert: cacert ?? jetty["ssl-ca-cert"],
    tokenFile,
    acceptsCommands,
  };
}

/** Why a server that follows others accepts no commands: an agent that was sent to it by mistake would split the data. */
export function refusalOf({ origins }: FollowSettings): string {
  const urls = origins.map(({ url }) => url).join(", ");
  return `this server follows ${urls}: send commands there, or set follow-accept-commands`;
}
