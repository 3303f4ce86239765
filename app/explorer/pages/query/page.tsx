import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function QueryPage(): JSX.Element {
  return <Page title="Query">{null}</Page>;
}
