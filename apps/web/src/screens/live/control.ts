/** Runs that this browser tab controls. The token is never part of an address; closing the tab discards it. */
const KEY = "ag-lens.live.";

/** Keeps the token of a run that this tab has started. Where storage is forbidden, a reload can only view the run. */
export function keepControl(id: string, control: string): void {
  held.set(id, control);
  try {
    window.sessionStorage.setItem(KEY + id, control);
  } catch {
    // The map above exists as long as the page.
  }
}

const held = new Map<string, string>();

/** The token of a run, null when this tab may only view it. */
export function controlOf(id: string): string | null {
  const kept = held.get(id);
  if (kept !== undefined) return kept;
  try {
    return window.sessionStorage.getItem(KEY + id);
  } catch {
    return null;
  }
}

/** Forgets the token of a run that has ended. */
export function forgetControl(id: string): void {
  held.delete(id);
  try {
    window.sessionStorage.removeItem(KEY + id);
  } catch {
    // Nothing was stored.
  }
}
