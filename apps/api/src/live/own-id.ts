/** Ids of what stays with its server: where there are several, they begin with its name, by which a proxy finds it. */
import { newId } from "../kernel/identity.ts";

/** In no name of a server, and plain in an address. */
const BEHIND_SERVER = "~";

/** @param server name of this one among several; null where it is the only one */
export function newOwnId(server: string | null): string {
  return server === null ? newId() : `${server}${BEHIND_SERVER}${newId()}`;
}

/** The server that has what the id is of; null where it names none. */
export function serverOf(id: string): string | null {
  const end = id.indexOf(BEHIND_SERVER);
  return end < 0 ? null : id.slice(0, end);
}
