import type { JSX } from "preact";
import { TimeChoice } from "../as-of/choice.tsx";
import { QueryDrawer } from "../pql/drawer.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { KeyHelp } from "./key-help.tsx";
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
  palette: Palette,
  queries: QueryDrawer,
  keys: KeyHelp,
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
