import type { JSX } from "preact";
import { Icon } from "../icons/icon.tsx";
import { type Tabs, titleOf } from "./tabs.ts";

export interface TabBarProps {
  readonly tabs: Tabs;
  readonly onChoose: (id: number) => void;
  readonly onClose: (id: number) => void;
  readonly onOpen: () => void;
}

/** The queries of the workbench, named by their text. */
export function TabBar({ tabs, onChoose, onClose, onOpen }: TabBarProps): JSX.Element {
  return (
    <div class="query-tabs">
      <ul aria-label="Queries">
        {tabs.all.map((tab) => {
          const title = titleOf(tab);
          const isActive = tab.id === tabs.active;
          return (
            <li key={tab.id} class={isActive ? "query-tab query-tab-active" : "query-tab"}>
              <button
                type="button"
                class="query-tab-title"
                aria-current={isActive ? "true" : undefined}
                title={title.slice(0, 500)}
                onClick={() => onChoose(tab.id)}
              >
                <bdi>{title.slice(0, 80)}</bdi>
              </button>
              {tabs.all.length === 1 ? null : (
                <button
                  type="button"
                  class="query-tab-close"
                  aria-label={`Close ${title.slice(0, 80)}`}
                  onClick={() => onClose(tab.id)}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" class="plain" aria-label="New query" title="New query" onClick={onOpen}>
        <Icon name="plus" />
      </button>
    </div>
  );
}
