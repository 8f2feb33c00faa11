/** View <-> query string. Versioned (`v=1`): an old or hand-made link still opens. */
import type { LinkedView } from "./view.ts";
import { readParameters, writeParameters } from "./view-parameters.ts";

const VERSION = 1;

/** UPGRADES[n] turns the parameters of version n into those of version n + 1. Version 1 is the first. */
const UPGRADES: readonly ((params: URLSearchParams) => URLSearchParams)[] = [(params) => params];

/** The query string of a view, without `?`; empty when everything is at its default. */
export function encodeView(view: LinkedView): string {
  // A query may contain colons unescaped, so that people can read an LSN.
  const rest = writeParameters(view).toString().replaceAll("%3A", ":");
  return rest === "" ? "" : `v=${VERSION}&${rest}`;
}

/** The view of a query string (with or without `?`); never fails. @param before equal parts keep its objects */
export const decodeView = (search: string, before?: LinkedView): LinkedView =>
  readParameters(upgrade(new URLSearchParams(search)), before);

/** Parameters as the current version writes them. A version from the future is read as well as it can be. */
function upgrade(params: URLSearchParams): URLSearchParams {
  const version = Number(params.get("v") ?? VERSION);
  let current = params;
  for (let from = Math.max(1, Math.trunc(version) || VERSION); from < VERSION; from += 1) {
    current = UPGRADES[from - 1]?.(current) ?? current;
  }
  return current;
}
