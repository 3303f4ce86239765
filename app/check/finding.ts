/** How bad something is: with an error the service does not start, or serves nobody; a warning will be one, or may be. */
export type Level = "error" | "warning" | "ok";

/** What a look at the machine found about one thing that the settings name. */
export interface Finding {
  readonly level: Level;
  /** The kind of thing, e.g. `certificate`, `port`. */
  readonly check: string;
  /** Where it was named: `/etc/census/conf.d/jetty.ini:7: [jetty] ssl-cert`; null for what no setting names. */
  readonly where: string | null;
  /** What was found, e.g. `/etc/census/ssl/cert.pem does not exist`. */
  readonly what: string;
  /** What to do about it; null where nothing has to be done. */
  readonly remedy: string | null;
}

/** Makes the findings of one check about one place. */
export interface Reporter {
  ok(what: string): Finding;
  warning(what: string, remedy: string): Finding;
  error(what: string, remedy: string): Finding;
}

export function reporter(check: string, where: string | null): Reporter {
  return {
    ok: (what) => ({ level: "ok", check, where, what, remedy: null }),
    warning: (what, remedy) => ({ level: "warning", check, where, what, remedy }),
    error: (what, remedy) => ({ level: "error", check, where, what, remedy }),
  };
}
