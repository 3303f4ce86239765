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
 * Makes the error for a failed attempt to listen.
 * @param option the flag that names another port
 */
export function listenError(host: string, port: number, option: string, error: unknown): CensusError {
  // listhen checks the port first, so the error for a used port is its own or, in a race, the system's.
  if (/EADDRINUSE|Unable to find an available port/.test(messageOf(error))) {
    return new PortTaken(host, port, option, error);
  }
  return new CensusError("bad-file", `${host}:${port} ${messageOf(error)}`, { cause: error });
}
