/**
 * Delete tokens of links created in this browser, on servers where users don't sign in. Only this browser has them, so
 * that the person who created a link can revoke it.
 */
const KEY = "aglens.links";
const MOST = 500;

type Store = Pick<Storage, "getItem" | "setItem">;
interface KeptToken {
  readonly id: string;
  readonly deleteToken: string;
}

/** Null for a link that was not made here. */
export function linkToken(id: string, store: Store = localStorage): string | null {
  return read(store).find((kept) => kept.id === id)?.deleteToken ?? null;
}

/** Stores the delete token; a link of a server where users sign in has no token. */
export function keepLinkToken(
  id: string,
  deleteToken: string | undefined,
  store: Store = localStorage,
): void {
  if (deleteToken === undefined) return;
  try {
    store.setItem(KEY, JSON.stringify([{ id, deleteToken }, ...read(store)].slice(0, MOST)));
  } catch {
    // Private windows may refuse to store anything; the link itself still works.
  }
}

function read(store: Store): KeptToken[] {
  try {
    const tokens: unknown = JSON.parse(store.getItem(KEY) ?? "[]");
    return Array.isArray(tokens) ? (tokens as KeptToken[]) : [];
  } catch {
    // Where the browser stores nothing, or other data under this key, no link counts as created here.
    return [];
  }
}
