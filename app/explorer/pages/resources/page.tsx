import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function ResourcesPage(): JSX.Element {
  return <Page title="Resources">{null}</Page>;
}
