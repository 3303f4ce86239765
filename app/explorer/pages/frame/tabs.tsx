import { Fragment, type JSX } from "preact";
import { useText, withParameters } from "../address/address.ts";
import { isWhole } from "../list/growing.tsx";

/** A part of a page, behind a tab. */
export interface Tab {
  readonly key: string;
  readonly label: string;
  /** Default: the present address with the key as parameter. */
  readonly href?: string;
  /** Without it the page shows it. */
  readonly content?: JSX.Element;
}

export interface TabsProps {
  /** For screen readers: "Parts of the issue". */
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The parameter of the address that chooses one; default: "tab". */
  readonly parameter?: string;
  /** The key of the one that is shown, where no parameter says so. */
  readonly chosen?: string;
}

/** Parts of a page of which the address chooses one, at first the first. A page that is saved has all. */
export function Tabs({ label, tabs, parameter = "tab", chosen }: TabsProps): JSX.Element {
  const [inAddress] = useText(parameter);
  const shown = tabs.find(({ key }) => key === (chosen ?? inAddress)) ?? (chosen === undefined ? tabs[0] : undefined);
  const hrefOf = (key: string): string =>
    withParameters(location.href, { [parameter]: key === tabs[0]?.key ? undefined : key });
  return (
    <>
      <nav class="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <a key={tab.key} href={tab.href ?? hrefOf(tab.key)} aria-current={tab === shown ? "page" : undefined}>
            {tab.label}
          </a>
        ))}
      </nav>
      {tabs.map((tab) =>
        tab === shown || (isWhole.value && chosen === undefined) ? (
          <Fragment key={tab.key}>{tab.content}</Fragment>
        ) : null,
      )}
    </>
  );
}

/** `Nodes (1,640)`; without the number until it is known. */
export function countedLabel(label: string, count: number | undefined): string {
  return count === undefined ? label : `${label} (${count.toLocaleString()})`;
}
