/** The severity: with an error the service does not start or accepts no clients; a warning may become an error. */
export type Level = "error" | "warning" | "ok";

/** The result of a check of one thing that the settings name. */
export interface Finding {
  readonly level: Level;
  /** The kind of thing, e.g. `certificate`, `port`. */
  readonly check: string;
  /** Where it was named: `/etc/census/conf.d/jetty.ini:7: [jetty] ssl-cert`; null for a thing that no setting names. */
  readonly where: string | null;
  /** The problem, e.g. `/etc/census/ssl/cert.pem does not exist`. */
  readonly what: string;
  /** The advice; null where nothing has to be done. */
  readonly remedy: string | null;
}

/** Makes the findings of a check for one place. */
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
