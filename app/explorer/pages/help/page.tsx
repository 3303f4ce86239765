import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function HelpPage(): JSX.Element {
  return <Page title="Help">{null}</Page>;
}
