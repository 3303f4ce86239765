import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Something that can be chosen. */
export interface Choice {
  readonly key: string;
  readonly content: ComponentChildren;
  readonly choose: () => void;
}

export interface ComboboxProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly choices: readonly Choice[];
  readonly isInvalid?: boolean;
  /** Id of the element that says what is wrong. */
  readonly describedBy?: string;
  readonly onInput: (text: string, cursor: number) => void;
  /** Enter without a choice. */
  readonly onEnter?: () => void;
  /** Esc while no choices are shown, and leaving the field. */
  readonly onLeave?: () => void;
  /** Marks the field that the key `/` focuses. */
  readonly isFilter?: boolean;
  /** The first choice is chosen until another one is. */
  readonly choosesFirst?: boolean;
  /** The choices are always shown, below the field: it is all of a dialog. */
  readonly isInline?: boolean;
  /** A click shows the choices, and what is typed replaces the text. */
  readonly isMenu?: boolean;
  readonly inputRef?: { current: HTMLInputElement | null };
}

/** A field that offers choices while one types. Arrow keys choose, Enter and Tab take one, Esc closes. */
export function Combobox(props: ComboboxProps): JSX.Element {
  const { label, value, choices, choosesFirst = false, isInline = false, isMenu = false } = props;
  const id = useId();
  const own = useRef<HTMLInputElement | null>(null);
  const input = props.inputRef ?? own;
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const shown = isOpen || isInline ? choices : [];
  const active = Math.min(chosen === -1 && choosesFirst ? 0 : chosen, shown.length - 1);
  const list = useRef<HTMLDivElement>(null);
  const isShown = shown.length > 0;
  useLayoutEffect(() => {
    if (isShown) list.current?.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    choice.choose();
    setChosen(-1);
    if (isMenu) setIsOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) {
      setIsOpen(true);
      setChosen((active + step + choices.length) % choices.length);
    } else if (event.key === "Enter") {
      if (active >= 0) take(shown[active]);
      else {
        setIsOpen(false);
        props.onEnter?.();
      }
    } else if (isInline) return;
    else if (event.key === "Tab" && !event.shiftKey && shown.length > 0 && (active >= 0 || !isMenu)) {
      take(shown[Math.max(0, active)]);
    } else if (event.key === "Escape") {
      if (shown.length > 0) setIsOpen(false);
      else {
        props.onLeave?.();
        input.current?.blur();
      }
    } else return;
    event.preventDefault();
  };
  return (
    <div class={isInline ? "combobox combobox-inline" : "combobox"}>
      <input
        ref={input}
        // The dialog focuses the field with this attribute, else its first button.
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only of a dialog that was opened to type into
        autofocus={isInline}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-choices`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={props.isInvalid}
        aria-describedby={props.describedBy}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={props.placeholder}
        data-filter={props.isFilter}
        value={value}
        onInput={({ currentTarget }) => {
          setIsOpen(true);
          setChosen(-1);
          props.onInput(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length);
        }}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget }) => isMenu && currentTarget.select()}
        onClick={({ currentTarget }) => {
          if (!isMenu || isOpen) return;
          setIsOpen(true);
          currentTarget.select();
        }}
        onBlur={() => {
          setIsOpen(false);
          props.onLeave?.();
        }}
      />
      <div
        ref={list}
        id={`${id}-choices`}
        class="combobox-choices"
        role="listbox"
        aria-label={`${label}: choices`}
        hidden={shown.length === 0}
      >
        {shown.map((choice, at) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Enter in the field takes the choice
          <div
            key={choice.key}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            ref={(element) => {
              if (at === active) element?.scrollIntoView({ block: "nearest" });
            }}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(choice)}
          >
            {choice.content}
          </div>
        ))}
      </div>
    </div>
  );
}
