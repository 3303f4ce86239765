import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function WallPage(): JSX.Element {
  return <Page title="Wall">{null}</Page>;
}
