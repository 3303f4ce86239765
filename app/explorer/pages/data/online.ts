import { signal } from "@preact/signals";

/** Whether the last request reached the server. */
export const online = signal(true);
