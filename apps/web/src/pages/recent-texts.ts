/** Filters that were used in this browser, the latest first; they are kept only here. */
const KEY = "aglens.filters";
const MOST = 5;

/** Empty where the browser keeps no data. */
export function recentTexts(storage: Pick<Storage, "getItem"> = localStorage): readonly string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts a text before the others; an existing one moves. */
export function rememberText(
  text: string,
  storage: Pick<Storage, "getItem" | "setItem"> = localStorage,
): void {
  const texts = [text, ...recentTexts(storage).filter((each) => each !== text)].slice(0, MOST);
  try {
    storage.setItem(KEY, JSON.stringify(texts));
  } catch {
    // A browser that keeps no data has no suggestions.
  }
}
