import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function OverviewPage(): JSX.Element {
  return <Page title="Overview">{null}</Page>;
}
