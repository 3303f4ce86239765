import type { JSX } from "preact";
import { Page } from "../frame/page.tsx";

export default function ResourcePage(): JSX.Element {
  return <Page title="Resource">{null}</Page>;
}
