import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function NodePage(): JSX.Element {
  return <Page title="Node">{null}</Page>;
}
