import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function StatusPage(): JSX.Element {
  return <Page title="Status">{null}</Page>;
}
