import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { EditorProps } from "../editor/editor.tsx";

/** The editor; a plain field until it is loaded, or where it cannot be. */
export function EditorBox(props: EditorProps): JSX.Element {
  const [Editor, setEditor] = useState<ComponentType<EditorProps> | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    void import("../editor/editor.tsx").then(
      ({ default: Loaded }) => {
        if (!isGone) setEditor(() => Loaded);
      },
      // The plain field stays.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (Editor !== undefined) return <Editor {...props} />;
  return (
    <textarea
      class="editor-plain"
      aria-label={props.label}
      spellcheck={false}
      value={props.text}
      onInput={(event) => props.onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          props.onRun();
        }
      }}
    />
  );
}
