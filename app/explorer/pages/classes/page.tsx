import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function ClassesPage(): JSX.Element {
  return <Page title="Classes">{null}</Page>;
}
