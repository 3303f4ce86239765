import { CensusError, messageOf } from "#storage/errors.ts";

/** An address that another program listens on. */
export class PortTaken extends CensusError {
  /** @param option the flag that names another port */
  constructor(host: string, port: number, option: string, cause: unknown) {
    super("bad-file", `${host}:${port} is in use by another program; choose another port with ${option}`, { cause });
    this.name = "PortTaken";
  }
}

/**
 * What a failed attempt to listen is called.
 * @param option the flag that names another port
 */
export function listenError(host: string, port: number, option: string, error: unknown): CensusError {
  // listhen looks before it listens, so a taken port comes as its own message or, in a race, as the system's.
  if (/EADDRINUSE|Unable to find an available port/.test(messageOf(error))) {
    return new PortTaken(host, port, option, error);
  }
  return new CensusError("bad-file", `${host}:${port} ${messageOf(error)}`, { cause: error });
}
