/**
 * Ids of objects that stay with their server: where there are several servers, ids begin with the server's name, by
 * which a proxy finds it.
 */
import { newId } from "../kernel/identity.ts";

/** In no name of a server, and plain in an address. */
const BEHIND_SERVER = "~";

/** @param server name of this one among several; null where it is the only one */
export function newOwnId(server: string | null): string {
  return server === null ? newId() : `${server}${BEHIND_SERVER}${newId()}`;
}

/** The server in an id; null where the id names no server. */
export function serverOf(id: string): string | null {
  const end = id.indexOf(BEHIND_SERVER);
  return end < 0 ? null : id.slice(0, end);
}
