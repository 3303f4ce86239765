import { choice, stored } from "../data/stored.ts";

/** `auto` follows the system. */
export type Theme = "auto" | "light" | "dark";

/** The theme that was chosen in this browser. */
export const storedTheme = stored<Theme>("theme", choice(["auto", "light", "dark"]));

/** Marks the document, where the style sheet reads it. */
export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
