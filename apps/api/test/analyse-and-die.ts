/**
 * One of several servers, which begins the analysis of a capture and is killed at a moment of it. Arguments: directory
 * of all servers, address of their catalog, id of the capture, the moment: `asked`, `begun` or `storing`.
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { SILENT, sharedPlace } from "./two-servers.ts";

const [directory = "", catalogue = "", id = "", moment = ""] = process.argv.slice(2);

const dieAt = (reached: string): void => {
  if (reached === moment) process.kill(process.pid, "SIGKILL");
};

const place = await sharedPlace(catalogue, directory);
const { analyzer, captures } = await place.open("dying", {}, {}, SILENT);
analyzer.mayBegin = () => moment !== "asked";
await captures.analyses.start(id);
dieAt("asked");
while (analyzer.analyses.length === 0) await pause(5);
dieAt("begun");
/** Connections on which an end is stored. */
const ending = new WeakSet<pg.Client>();
// oxlint-disable-next-line typescript/unbound-method -- called with the connection that it is called on
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...given: readonly unknown[]) {
  if (String(given[0]).includes("DELETE FROM work")) ending.add(this);
  if (ending.has(this) && given[0] === "commit") dieAt("storing");
  return Reflect.apply(query, this, given) as unknown;
} as typeof query;
analyzer.analyses[0]?.finish();
