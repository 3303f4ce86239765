import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function FactsPage(): JSX.Element {
  return <Page title="Facts">{null}</Page>;
}
