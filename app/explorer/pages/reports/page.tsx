import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function ReportsPage(): JSX.Element {
  return <Page title="Reports">{null}</Page>;
}
