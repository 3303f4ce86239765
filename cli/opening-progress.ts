import type { Progress } from "#app/explorer/api/shapes.ts";

/** How far the opening of an archive is, for the explorer's page. */
export class OpeningProgress {
  #current: Progress = { text: "Opening the archive" };

  get current(): Progress {
    return this.#current;
  }

  /** @param done bytes of the archive that have been read */
  readonly update = (done: number, total: number): void => {
    this.#current = done < total ? { text: "Reading the archive", done, total } : { text: "Storing what was read" };
  };
}
