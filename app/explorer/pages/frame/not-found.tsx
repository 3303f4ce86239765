import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { Page } from "./page.tsx";

/** Shown where the explorer has no page. */
export function NotFound(): JSX.Element {
  return (
    <Page title="No such page">
      <p>
        The explorer has no page <code>{location.pathname}</code>. Go to the <a href={href("overview")}>overview</a>.
      </p>
    </Page>
  );
}
