import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { href } from "../address/address.ts";
import { announce } from "../frame/page.tsx";
import { Dialog } from "../frame/dialog.tsx";
import { PopupMenu } from "../frame/popup-menu.tsx";
import { Icon } from "../icons/icon.tsx";
import { now } from "../time/format.ts";
import { marked } from "../value/value.tsx";
import { givenViews, isSameView, storedViews, type View, viewOf, viewParameters } from "./views.ts";

/** Chooses what the table shows: one of the given views, or one that was saved in this browser. */
export function ViewMenu(): JSX.Element {
  const [own, setOwn] = useState(storedViews.read);
  const [isSaving, setIsSaving] = useState(false);
  const { url } = useLocation();
  const present = viewOf(new URL(url, location.origin).search, "");
  const given = givenViews(now.value);
  const current = [...own, ...given].find((view) => isSameView(view, present));
  const keep = (views: readonly View[]): void => {
    setOwn(views);
    if (!storedViews.write(views)) announce("The browser has no storage: the view is kept until the page is closed");
  };
  return (
    <>
      <PopupMenu
        label={`View: ${current?.name ?? "not saved"}`}
        button={
          <>
            View: <bdi>{marked(current?.name ?? "not saved")}</bdi> <Icon name="down" />
          </>
        }
      >
        {(close) => (
          <>
            {[given, own].map((views, at) => (
              // The two groups never change their places.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <div key={at} role="group" aria-label={at === 0 ? "Views" : "Own views"}>
                {views.map((view) => (
                  <a
                    key={view.name}
                    role="menuitem"
                    href={viewHref(view)}
                    aria-current={view === current ? true : undefined}
                    onClick={close}
                  >
                    <bdi>{marked(view.name)}</bdi>
                  </a>
                ))}
              </div>
            ))}
            <div role="group" aria-label="This view">
              <button
                type="button"
                role="menuitem"
                onClick={() => {
                  close();
                  setIsSaving(true);
                }}
              >
                Save this view…
              </button>
              {current !== undefined && own.includes(current) ? (
                <button
                  type="button"
                  role="menuitem"
                  onClick={() => {
                    close();
                    keep(own.filter((view) => view !== current));
                  }}
                >
                  Delete this view
                </button>
              ) : null}
            </div>
          </>
        )}
      </PopupMenu>
      {isSaving ? (
        <SaveDialog
          onClose={() => setIsSaving(false)}
          onSave={(name) => {
            setIsSaving(false);
            keep([...own.filter((view) => view.name !== name), { ...present, name }]);
          }}
        />
      ) : null}
    </>
  );
}

/** The address of a view; parameters that it has not are left out. */
function viewHref({ parameters }: View): string {
  return href("nodes", [], Object.fromEntries(viewParameters.map((key) => [key, parameters[key]])));
}

interface SaveDialogProps {
  readonly onClose: () => void;
  readonly onSave: (name: string) => void;
}

function SaveDialog({ onClose, onSave }: SaveDialogProps): JSX.Element {
  const [name, setName] = useState("");
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") onSave(name.trim());
        }}
      >
        <p>
          Filters, columns, order and grouping are kept in this browser. To give them to somebody else, copy the address
          of the page.
        </p>
        <p class="save-view">
          <input
            aria-label="Name of the view"
            placeholder="Name"
            value={name}
            maxLength={80}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={name.trim() === ""}>
            Save
          </button>
        </p>
      </form>
    </Dialog>
  );
}
