/** Links made in this browser. Only here are their delete tokens, so that who made a link can take it back later. */
import type { Link } from "@aglens/contract";

const KEY = "aglens.links";

export type OwnLink = Link & { readonly deleteToken: string };
type Store = Pick<Storage, "getItem" | "setItem">;

/** Links of one capture that still open, newest first. */
export function ownLinks(captureId: string, store: Store = localStorage, now = new Date()): OwnLink[] {
  return read(store).filter(
    (link) => link.captureId === captureId && (link.expires === null || link.expires > now.toISOString()),
  );
}

/** Remembers a link; one without a delete token could not be deleted and is not kept. */
export function keepLink(link: Link, store: Store = localStorage, now = new Date()): void {
  const { deleteToken } = link;
  if (deleteToken === undefined) return;
  const open = read(store).filter(({ expires }) => expires === null || expires > now.toISOString());
  write(store, [{ ...link, deleteToken }, ...open]);
}

export function forgetLink(id: string, store: Store = localStorage): void {
  write(
    store,
    read(store).filter((link) => link.id !== id),
  );
}

function read(store: Store): OwnLink[] {
  try {
    const links: unknown = JSON.parse(store.getItem(KEY) ?? "[]");
    return Array.isArray(links) ? (links as OwnLink[]) : [];
  } catch {
    // A browser that keeps nothing, or something else under this key: as if no link had been made here.
    return [];
  }
}

function write(store: Store, links: readonly OwnLink[]): void {
  try {
    store.setItem(KEY, JSON.stringify(links));
  } catch {
    // Private windows may refuse to keep anything; the link itself works all the same.
  }
}
