/** Maximum lines per period: enough to see what happens, too few to fill a disk. */
const BURST = 100;
const PERIOD_MS = 60_000;

/**
 * Limits how often clients can make the service write to its log.
 * @param write what writes a line
 * @param more reports how many lines were omitted, once lines are written again
 * @param now milliseconds, of a clock that never goes back
 */
export function limited<Line extends unknown[]>(
  write: (...line: Line) => void,
  more: (count: number) => void,
  now: () => number = () => performance.now(),
): (...line: Line) => void {
  let began = now();
  let written = 0;
  let omitted = 0;
  return (...line) => {
    if (now() - began >= PERIOD_MS) {
      const count = omitted;
      [began, written, omitted] = [now(), 0, 0];
      if (count > 0) more(count);
    }
    if (written === BURST) {
      omitted++;
      return;
    }
    written++;
    write(...line);
  };
}
