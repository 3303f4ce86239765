import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "../pql/copies.ts";
import { announce } from "./announcements.tsx";

export interface CopyButtonProps {
  /** A long text is only made when it is copied. */
  readonly text: string | (() => string);
  /** For screen readers, where the content is not enough: "Copy the path". */
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, label, class: className, children }: CopyButtonProps): JSX.Element {
  const [copied, setCopied] = useState<boolean | undefined>(undefined);
  const copy = async (): Promise<void> => {
    const done = await copyText(typeof text === "string" ? text : text());
    setCopied(done);
    announce(done ? "Copied" : "The browser does not allow copying");
    setTimeout(() => setCopied(undefined), 1500);
  };
  return (
    <button type="button" class={className} aria-label={label} title={label} onClick={() => void copy()}>
      {copied === undefined ? children : copied ? "Copied" : "Not allowed"}
    </button>
  );
}
