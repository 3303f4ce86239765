/**
 * Local time of a zone. Instants are milliseconds since the epoch; a wall time is what clocks there show, as the
 * instant at which clocks in UTC show it.
 */

const DAY = 86_400_000;

/** A time zone. */
export class Zone {
  readonly #format: Intl.DateTimeFormat;

  private constructor(format: Intl.DateTimeFormat) {
    this.#format = format;
  }

  /** @returns undefined for an unknown name; names are like `Europe/Berlin` or `UTC` */
  static named(name: string): Zone | undefined {
    try {
      const format = new Intl.DateTimeFormat("en-US", {
        timeZone: name,
        hourCycle: "h23",
        era: "short",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      });
      return new Zone(format);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** The wall time at an instant. */
  wallTime(instant: number): number {
    const parts = new Map(this.#format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const year = parts.get("era") === "BC" ? 1 - number("year") : number("year");
    const wall = new Date(0);
    wall.setUTCFullYear(year, number("month") - 1, number("day"));
    wall.setUTCHours(number("hour"), number("minute"), number("second"), ((instant % 1000) + 1000) % 1000);
    return wall.getTime();
  }

  /**
   * The first instant at which clocks show a time; if they skip it, the instant at which it would have been before the
   * clocks were changed.
   */
  instant(wall: number): number {
    const before = this.#offset(wall - DAY);
    const after = this.#offset(wall + DAY);
    const found = [before, after].map((offset) => wall - offset).filter((instant) => this.wallTime(instant) === wall);
    return found.length === 0 ? wall - before : Math.min(...found);
  }

  #offset(instant: number): number {
    return this.wallTime(instant) - instant;
  }
}
