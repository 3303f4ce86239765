/** Runs before anything is painted, so that a chosen theme does not flash: the shell loads it first, and alone. */
import { applyTheme, storedTheme } from "./frame/theme-choice.ts";

applyTheme(storedTheme.read());
