import { useCallback, useEffect, useSyncExternalStore } from "react";
import { applyPaper, applyTheme, rememberedTheme, rememberTheme, systemTheme } from "./theme.ts";
import { useView } from "./use-view.ts";
import type { View } from "./view.ts";

/** The current theme: the address wins (a link restores it), then the last choice on this browser, then the system. */
export function useTheme(): { theme: View["theme"]; toggle: () => void } {
  const [view, setView] = useView();
  const remembered = useSyncExternalStore(listen, rememberedTheme);
  const theme = view.theme === "system" ? remembered : view.theme;
  const toggle = useCallback(() => {
    const shown = theme === "system" ? systemTheme() : theme;
    const next = shown === "dark" ? "light" : "dark";
    rememberTheme(next);
    for (const listener of listeners) listener();
    setView({ theme: next }, "replace");
  }, [theme, setView]);
  return { theme, toggle };
}

const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Applies the current theme to the page, and the light one on paper. */
export function useAppliedTheme(): void {
  const { theme } = useTheme();
  useEffect(() => {
    applyTheme(theme);
    const media = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => applyTheme(theme);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [theme]);
  useEffect(() => {
    let end = (): void => {};
    const begin = (): void => {
      end = applyPaper(theme);
    };
    const finish = (): void => end();
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", finish);
    return () => {
      finish();
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", finish);
    };
  }, [theme]);
}
