import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { about, opening } from "../data/about.ts";

/** For how long the note says that everything is there, ms. */
const DONE_MS = 4000;

/** Says that an archive is still being read, and how far, while pages show what is there; and that all of it is. */
export function FillingNote(): JSX.Element | null {
  const archive = about.value === undefined ? undefined : opening.value;
  const was = useRef(false);
  const [isDone, setIsDone] = useState(false);
  const is = archive !== undefined;
  useEffect(() => {
    const hasEnded = was.current && !is;
    was.current = is;
    setIsDone(hasEnded);
    if (!hasEnded) return undefined;
    const timer = setTimeout(() => setIsDone(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [is]);
  if (archive === undefined) {
    return isDone ? (
      <p class="filling-note" role="status">
        All of <bdi>{about.value?.source.name}</bdi> has been read.
      </p>
    ) : null;
  }
  const { done, total, text = "" } = archive.progress ?? {};
  const share = total === undefined ? undefined : (done ?? 0) / total;
  return (
    <div class="filling-note">
      <p>
        {text === "" ? "Reading the archive" : text}
        {share === undefined ? null : `, ${Math.floor(100 * share)} %`}
      </p>
      <progress aria-label="Progress" max={1} {...(share === undefined ? {} : { value: share })} />
      <p class="muted" role="status">
        Pages show what has been read so far.
      </p>
    </div>
  );
}
