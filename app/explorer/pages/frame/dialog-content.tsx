import type { JSX } from "preact";
import { QueryDrawer } from "../pql/drawer.tsx";
import { KeyHelp } from "./key-help.tsx";
import { Palette } from "./palette.tsx";

/** The dialogs that the frame opens on every page. */
export type DialogName = "palette" | "queries" | "keys";

const contents = { palette: Palette, queries: QueryDrawer, keys: KeyHelp } as const;

/** What is in such a dialog. */
export default function DialogContent({
  name,
  onClose,
}: {
  readonly name: DialogName;
  readonly onClose: () => void;
}): JSX.Element {
  const Content = contents[name];
  return <Content onClose={onClose} />;
}
