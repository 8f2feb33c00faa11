/**
 * Returns the focus to the element that had it before a menu or dialog opened, or else to the page's content. The
 * library reports the closing some moments late: an element that has the focus by then was chosen by the user
 * meanwhile, and keeps it.
 */
export function focusAgain(before: Element | null): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const had = before instanceof HTMLElement && before !== document.body && before.isConnected;
  (had ? before : document.getElementById("content"))?.focus();
}
