import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Dialog, type DialogProps } from "./dialog.tsx";
import type { DialogName } from "./dialog-content.tsx";
import { later } from "./later.tsx";

const looks: Readonly<Record<DialogName, Pick<DialogProps, "title" | "place">>> = {
  palette: { title: "Search" },
  queries: { title: "Queries of this page", place: "side" },
  keys: { title: "Keys and states" },
};

const DialogContent = later(() => import("./dialog-content.tsx"));

/** Ms. */
const PRELOADED_AFTER = 1000;

/** A dialog that is opened from every page. It opens at once, so that keys go to it and not to the page, even while its content is loaded. */
export function FrameDialog({
  name,
  onClose,
}: {
  readonly name: DialogName;
  readonly onClose: () => void;
}): JSX.Element {
  return (
    <Dialog key={name} {...looks[name]} onClose={onClose}>
      <DialogContent name={name} onClose={onClose} />
    </Dialog>
  );
}

/** Loads the content of the dialogs before one is opened, when the page has most likely loaded its own data. */
export function usePreloadedDialogs(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return undefined;
    const timer = setTimeout(() => void DialogContent.preload(), PRELOADED_AFTER);
    return () => clearTimeout(timer);
  }, [isReady]);
}
