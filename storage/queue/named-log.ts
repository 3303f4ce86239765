import * as jetStream from "./jetstream/address.ts";
import * as postgres from "./postgres/address.ts";
import { type AddressFile, invalid } from "./shared/address.ts";

/** A log that several servers share, by its address. */
export type NamedLog =
  | { readonly kind: "postgresql"; readonly address: postgres.Address }
  | { readonly kind: "jetstream"; readonly address: jetStream.Address };

/**
 * Reads the address of a log.
 * @param passwordFile a file with the password, which is read at each connection
 * @throws CensusError "bad-input" that names what is wrong, without the password
 */
export function readLog(text: string, passwordFile?: string): NamedLog {
  const [, scheme = ""] = /^([a-z]+):\/\//.exec(text) ?? [];
  if (["postgresql", "postgres"].includes(scheme)) {
    return { kind: "postgresql", address: postgres.readAddress(text, passwordFile) };
  }
  if (["nats", "tls"].includes(scheme)) {
    return { kind: "jetstream", address: jetStream.readAddress(text, passwordFile) };
  }
  throw invalid("expected postgresql://USER@HOST:PORT/DATABASE or nats://HOST:PORT,HOST:PORT/STREAM");
}

/** Reads addresses that are separated by white space. @throws as {@link readLog} */
export function readLogs(text: string, passwordFile?: string): readonly NamedLog[] {
  return text
    .trim()
    .split(/\s+/)
    .map((address) => readLog(address, passwordFile));
}

/** The address of a log in messages: without secrets. */
export function placeOf(log: NamedLog): string {
  return log.kind === "postgresql" ? postgres.placeOf(log.address) : jetStream.placeOf(log.address);
}

/** The files that a connection needs, besides that of the password. */
export function filesOf(log: NamedLog): readonly AddressFile[] {
  return log.kind === "postgresql" ? postgres.filesOf(log.address) : jetStream.filesOf(log.address);
}
