import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function IssuesPage(): JSX.Element {
  return <Page title="Issues">{null}</Page>;
}
