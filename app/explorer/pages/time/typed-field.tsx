import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { Combobox } from "../filter-line/combobox.tsx";
import { holds } from "../value/value.tsx";

export interface TypedFieldProps {
  readonly label: string;
  /** What is chosen, as it can be typed. */
  readonly value: string;
  /** Texts that are offered. */
  readonly offered: readonly string[];
  readonly placeholder?: string;
  /** It is all of a dialog. */
  readonly isInline?: boolean;
  /** Takes what was typed or chosen. @returns what is wrong with it */
  readonly take: (text: string) => string | undefined;
}

/** A time, or a range of time, that one types or chooses. */
export function TypedField({
  label,
  value,
  offered,
  take,
  placeholder = "",
  isInline = false,
}: TypedFieldProps): JSX.Element {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const reset = (): void => {
    setTyped(value);
    setProblem(undefined);
  };
  // Not an effect: it would follow what is typed before the next frame.
  const [before, setBefore] = useState(value);
  if (before !== value) {
    setBefore(value);
    reset();
  }
  const submit = (text: string): void => {
    const wrong = text === value ? undefined : take(text);
    if (wrong === undefined) reset();
    else {
      setTyped(text);
      setProblem(wrong);
    }
  };
  const fitting = typed === value ? offered : offered.filter((text) => holds(text, typed));
  return (
    <div class={isInline ? undefined : "typed-field"}>
      <Combobox
        isMenu={!isInline}
        isInline={isInline}
        label={label}
        placeholder={placeholder}
        value={typed}
        choices={fitting.map((text) => ({ key: text, content: text, choose: () => submit(text) }))}
        isInvalid={problem !== undefined}
        {...(problem === undefined ? {} : { describedBy: id })}
        onInput={(text) => {
          setTyped(text);
          setProblem(undefined);
        }}
        onEnter={() => submit(typed)}
        onLeave={reset}
      />
      {problem === undefined ? null : (
        <p id={id} class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
