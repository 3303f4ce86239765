import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function ReportPage(): JSX.Element {
  return <Page title="Report">{null}</Page>;
}
