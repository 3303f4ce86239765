import type { Address } from "./address.ts";
import { codeOf, codes, type Connection } from "./connection.ts";
import { namesOf } from "./messages.ts";

/** A value of the state stream. */
export interface Stated<T> {
  /** The last part of its subject. */
  readonly name: string;
  readonly value: T;
  /** Of the message that has it. */
  readonly sequence: number;
  /** When it was written, by the clock of the server of the log: ms since the epoch. */
  readonly ms: number;
}

/** The stream beside a log with the last value of each subject, as JSON. */
export class StateStream {
  readonly #connection: Connection;
  readonly #stream: string;

  constructor(connection: Connection, address: Pick<Address, "stream">) {
    this.#connection = connection;
    this.#stream = namesOf(address).state;
  }

  /** Undefined: there is none. */
  async get<T>(subject: string): Promise<Stated<T> | undefined> {
    const query = { last_by_subj: `${this.#stream}.${subject}` };
    try {
      const found = await this.#connection.request(({ manager }) => manager.streams.getMessage(this.#stream, query));
      return found === null ? undefined : stated<T>(found);
    } catch (error) {
      if (codeOf(error) === codes.streamNotFound) return undefined;
      throw error;
    }
  }

  /**
   * Writes a value.
   * @param after the sequence of the value that it replaces; 0: there is none; undefined: any
   * @returns false if another value is there
   */
  async put(subject: string, value: unknown, after?: number): Promise<boolean> {
    const options = after === undefined ? {} : { expect: { lastSubjectSequence: after } };
    try {
      await this.#connection.request(({ stream }) =>
        stream.publish(`${this.#stream}.${subject}`, JSON.stringify(value), options),
      );
      return true;
    } catch (error) {
      if (codeOf(error) === codes.wrongLastSequence) return false;
      throw error;
    }
  }

  /** The values of all subjects of a kind, e.g. `server.*`. */
  async list<T>(subjects: string): Promise<Stated<T>[]> {
    const found: Stated<T>[] = [];
    for (let seq = 1; ;) {
      const query = { seq, next_by_subj: `${this.#stream}.${subjects}` };
      const next = await this.#connection.request(({ manager }) => manager.streams.getMessage(this.#stream, query));
      if (next === null) return found;
      found.push(stated<T>(next));
      seq = next.seq + 1;
    }
  }

  /** Removes a value. */
  async remove(subject: string): Promise<void> {
    const filter = `${this.#stream}.${subject}`;
    await this.#connection.request(({ manager }) => manager.streams.purge(this.#stream, { filter }));
  }
}

function stated<T>(message: {
  readonly subject: string;
  readonly seq: number;
  readonly time: Date;
  string(): string;
}): Stated<T> {
  return {
    name: message.subject.split(".").at(-1) ?? "",
    value: JSON.parse(message.string()) as T,
    sequence: message.seq,
    ms: message.time.getTime(),
  };
}

/** A text as a part of a subject. */
export function tokenOf(text: string): string {
  return Buffer.from(text).toString("base64url");
}
