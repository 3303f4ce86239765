import { signal } from "@preact/signals";

/** Whether everything is shown that is otherwise shown on demand: the ends of lists and texts, closed parts. */
export const isWhole = signal(false);
