/** Ids of runs. Where there are several servers, a run's id begins with the name of its own, by which a proxy finds it. */
import { newId } from "../../identity.ts";

/** In no name of a server, and plain in an address. */
const BEHIND_SERVER = "~";

/** @param server name of this one among several; null where it is the only one */
export function newRunId(server: string | null): string {
  return server === null ? newId() : `${server}${BEHIND_SERVER}${newId()}`;
}

/** The server that has a run; null where its id names none. */
export function serverOfRun(id: string): string | null {
  const end = id.indexOf(BEHIND_SERVER);
  return end < 0 ? null : id.slice(0, end);
}
