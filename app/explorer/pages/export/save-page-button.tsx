import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { saveBlob } from "./export.ts";

export interface SavePageButtonProps {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly disabled?: boolean;
}

/** Saves what the page shows as one HTML file, to send it to somebody. */
export function SavePageButton({ name, disabled = false }: SavePageButtonProps): JSX.Element {
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const save = async (): Promise<void> => {
    setIsSaving(true);
    setProblem(undefined);
    try {
      const { pageToSend } = await import("./page-to-send.ts");
      saveBlob(new Blob([await pageToSend()], { type: "text/html;charset=utf-8" }), `${name}.html`);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <>
      <button
        type="button"
        disabled={disabled || isSaving}
        title="One file with all that this page shows; it has no scripts and opens offline"
        onClick={() => void save()}
      >
        <Icon name="export" /> HTML page
      </button>
      {problem === undefined ? null : (
        <span class="export-problem" role="alert">
          Not saved: {problem}
        </span>
      )}
    </>
  );
}
