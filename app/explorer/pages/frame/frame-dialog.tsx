import type { JSX } from "preact";
import { TimeChoice } from "../as-of/later-choice.ts";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { later } from "./later.tsx";
import { Palette } from "./palette.tsx";

/** The dialogs that the frame opens on every page. */
export type DialogName = "palette" | "queries" | "keys" | "time";

const looks: Readonly<Record<DialogName, Pick<DialogProps, "title" | "place">>> = {
  palette: { title: "Search" },
  queries: { title: "Queries of this page", place: "side" },
  keys: { title: "Keys and states" },
  time: { title: "State as of a past time" },
};

const contents = {
  // Letters that are typed right after its key belong to it.
  palette: Palette,
  queries: later(() => import("../pql/drawer.tsx")),
  keys: later(() => import("./key-help.tsx")),
  time: TimeChoice,
} as const;

/** A dialog that is opened from every page. */
export function FrameDialog({
  name,
  onClose,
}: {
  readonly name: DialogName;
  readonly onClose: () => void;
}): JSX.Element {
  const Content = contents[name];
  return (
    <Dialog key={name} {...looks[name]} onClose={onClose}>
      <Content onClose={onClose} />
    </Dialog>
  );
}
