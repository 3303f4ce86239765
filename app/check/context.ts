import type { LoadedSettings } from "../settings/load.ts";
import type { User } from "./user.ts";

/** The context of every check. */
export interface Context {
  /** The user that the service runs as. */
  readonly user: User;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The name of this machine. */
  readonly hostname: string;
  /** Where a setting was given, for messages: `/etc/census/conf.d/jetty.ini:7: [jetty] ssl-cert`. */
  where(section: string, ...names: readonly string[]): string;
}

export function contextOf(
  { entries }: LoadedSettings,
  { user, now, hostname }: Pick<Context, "user" | "now" | "hostname">,
): Context {
  return {
    user,
    now,
    hostname,
    where: (section, ...names) => {
      const found = names.flatMap((name) => entries.filter((one) => one.section === section && one.name === name));
      const { from = "default", name = names[0] ?? "" } = found.find((one) => one.from !== "default") ?? found[0] ?? {};
      const setting = `[${section}] ${name}`;
      return from === "default" ? `${setting} (default)` : `${from}: ${setting}`;
    },
  };
}
