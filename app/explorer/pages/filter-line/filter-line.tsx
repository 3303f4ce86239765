import type { JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { marked } from "../value/value.tsx";
import { Combobox } from "./combobox.tsx";
import type { LineCompletion } from "./completion.ts";
import { isWords } from "./condition.ts";

export interface FilterLineProps {
  /** The entity that the conditions are about. */
  readonly entity: string;
  /** What is applied. */
  readonly value: string;
  /** Called when typing rests and the text can be applied (`push: false`), and on Enter. */
  readonly onChange: (text: string, options: { push: boolean }) => void;
  /** For screen readers: "Filter nodes". */
  readonly label: string;
  readonly placeholder?: string;
}

const TYPING_MS = 300;
const nothing: LineCompletion = { start: 0, candidates: [] };

/**
 * Conditions in PQL with completion, or words to search for. Invalid PQL is not applied; its error is shown
 * below the line.
 */
export function FilterLine({ entity, value, onChange, label, placeholder }: FilterLineProps): JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement | null>(null);
  const [text, setText] = useState(value);
  const [mistake, setMistake] = useState<string | undefined>(undefined);
  const [completion, setCompletion] = useState<LineCompletion & { cursor: number }>({ ...nothing, cursor: 0 });
  const applied = useRef(value);
  const caret = useRef<number | undefined>(undefined);
  // Before the next key: a caret that is set later would tear apart what is typed meanwhile.
  useLayoutEffect(() => {
    if (caret.current !== undefined) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);
  const controller = useRef<AbortController | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Going back changes the address, and with it the line.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
    setMistake(undefined);
  }, [value]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      controller.current?.abort();
    },
    [],
  );

  const apply = async (typed: string, push: boolean): Promise<void> => {
    clearTimeout(timer.current);
    const { isBegun, mistakeIn } = await import("./completion.ts");
    if (input.current?.value !== typed) return;
    const wrong = isWords(typed) ? undefined : mistakeIn(entity, typed);
    setMistake(wrong?.isIncomplete === true && !push ? undefined : wrong?.advice);
    if (wrong !== undefined || typed.trim() === applied.current) return;
    // The beginning of a field's name is looked for only when that is said by Enter.
    if (!push && typed.trim() !== "" && isWords(typed) && isBegun(entity, typed.trim())) return;
    applied.current = typed.trim();
    onChange(applied.current, { push });
  };
  const complete = async (typed: string, cursor: number): Promise<void> => {
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    try {
      const { completeLine } = await import("./completion.ts");
      const found = await completeLine(entity, typed, cursor, signal);
      if (!signal.aborted) setCompletion({ ...found, cursor });
    } catch {
      // Without values, or without connection, there is nothing to offer.
      if (!signal.aborted) setCompletion({ ...nothing, cursor });
    }
  };
  const type = (typed: string, cursor: number): void => {
    setText(typed);
    setMistake(undefined);
    void complete(typed, cursor);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void apply(typed, false), TYPING_MS);
  };
  const choices = completion.candidates.map((candidate) => ({
    key: `${candidate.kind} ${candidate.text}`,
    content: (
      <>
        <span class="mono">{marked(candidate.text)}</span> <span class="muted">{candidate.kind}</span>
      </>
    ),
    choose: () => {
      const before = text.slice(0, completion.start) + candidate.text;
      const rest = text.slice(completion.cursor);
      const gap = candidate.kind !== "value" && !candidate.text.endsWith("(") && !rest.startsWith(" ") ? " " : "";
      const next = before + gap + rest;
      const cursor = before.length + gap.length;
      type(next, cursor);
      caret.current = cursor;
    },
  }));
  return (
    <div class="filter-line">
      <Combobox
        label={label}
        value={text}
        {...(placeholder === undefined ? {} : { placeholder })}
        choices={choices}
        isInvalid={mistake !== undefined}
        describedBy={`${id}-mistake`}
        onInput={type}
        onEnter={() => void apply(text, true)}
        isFilter
        inputRef={input}
      />
      <p id={`${id}-mistake`} class="filter-mistake" role="status">
        {mistake}
      </p>
    </div>
  );
}
