/** A request that was not answered with data. */
export class RequestError extends Error {
  /** Of the response; 0 without connection. */
  readonly status: number;

  /** @param text what the server says, or what happened */
  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }

  /** Whether the same request may succeed later: no connection, too busy, out of time. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 503 || this.status === 504;
  }
}
