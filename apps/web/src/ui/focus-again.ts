/**
 * Gives the focus back to what had it before a menu or dialog opened, or else to the page's content. The library says that one has
 * closed some moments after it is gone: what has the focus by then was chosen by somebody meanwhile, and keeps it.
 */
export function focusAgain(before: Element | null): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const had = before instanceof HTMLElement && before !== document.body && before.isConnected;
  (had ? before : document.getElementById("content"))?.focus();
}
