/** `auto` follows the system. */
export type Theme = "auto" | "light" | "dark";

const KEY = "census.theme";

/** The theme that was chosen in this browser. */
export function storedTheme(): Theme {
  try {
    const text = localStorage.getItem(KEY);
    return text === "light" || text === "dark" ? text : "auto";
  } catch {
    return "auto";
  }
}

/** Marks the document, where the style sheet reads it. */
export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Applies a theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    if (theme === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Browsers without storage forget the choice when the page is closed.
  }
}
