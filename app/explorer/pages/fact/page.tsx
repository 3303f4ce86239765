import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function FactPage(): JSX.Element {
  return <Page title="Fact">{null}</Page>;
}
