import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function IssuePage(): JSX.Element {
  return <Page title="Issue">{null}</Page>;
}
