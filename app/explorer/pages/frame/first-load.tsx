import type { JSX } from "preact";
import { aboutError, opening } from "../data/about.ts";

/** Shown until data are there: the progress of an archive that is being opened, or why nothing can be shown. */
export function FirstLoad(): JSX.Element {
  const archive = opening.value;
  const progress = archive?.progress;
  const error = aboutError.value;
  if (archive === undefined && error !== undefined) {
    return (
      <div class="problem" role="alert">
        <p>{error.status === 403 ? "The access rules deny this client the data." : "The server did not answer."}</p>
        <pre>{error.message}</pre>
        <p>The page tries again by itself.</p>
      </div>
    );
  }
  if (archive === undefined) return <div class="loading skeleton" />;
  const share = progress?.total === undefined ? undefined : (progress.done ?? 0) / progress.total;
  return (
    <div class="first-load" role="status">
      <h1>
        Opening <bdi>{archive.source.name}</bdi>
      </h1>
      <progress aria-label="Progress" max={1} {...(share === undefined ? {} : { value: share })} />
      <p class="muted">{progress?.text ?? "Reading the archive"}</p>
    </div>
  );
}
