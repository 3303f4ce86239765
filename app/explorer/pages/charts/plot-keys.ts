/** How far Page Up and Page Down go. */
const PAGE = 10;

/** The mark in a row that a key moves to; undefined for other keys. @param at the present mark, if there is one */
export function movedTo(key: string, at: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  const within = (index: number): number => Math.min(count - 1, Math.max(0, index));
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return at === undefined ? 0 : within(at + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return at === undefined ? count - 1 : within(at - 1);
    case "PageUp":
      return within((at ?? 0) + PAGE);
    case "PageDown":
      return within((at ?? count - 1) - PAGE);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
