import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function NodesPage(): JSX.Element {
  return <Page title="Nodes">{null}</Page>;
}
