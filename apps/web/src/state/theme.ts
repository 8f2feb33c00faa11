import { keepText, keptText } from "../browser-storage.ts";
import type { View } from "./view.ts";

type Theme = View["theme"];
const KEY = "ag-lens.theme";

/** The theme that "system" means now. */
export function systemTheme(): "light" | "dark" {
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Applies the theme to the page; every color token depends on it. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme === "system" ? systemTheme() : theme;
}

/** Width of a landscape Letter page between its margins, which is less than that of A4, CSS px. */
const PAPER_PX = 960;

/**
 * Until the returned function is called the page suits paper: light, drawn without waiting for a frame, and as wide as
 * its window, scaled down, so that nothing that was laid out for the window is cut.
 */
export function applyPaper(theme: Theme): () => void {
  const { dataset, style } = document.documentElement;
  dataset["printing"] = "";
  style.setProperty("--screen", `${window.innerWidth}px`);
  style.setProperty("--paper-zoom", String(Math.min(1, PAPER_PX / window.innerWidth)));
  applyTheme("light");
  return () => {
    delete dataset["printing"];
    applyTheme(theme);
  };
}

/** The theme that was chosen on this browser earlier, otherwise "system". */
export function rememberedTheme(): Theme {
  const stored = keptText(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Keeps the choice for the next visit; without storage it is valid for this page only. */
export const rememberTheme = (theme: Theme): boolean => keepText(KEY, theme === "system" ? null : theme);
