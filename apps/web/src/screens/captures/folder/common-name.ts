/** Names of several files as one short text. */

/** The beginning that SQL LogScout writes before the name of each file: server, instance and time. */
const LOG_SCOUT = /^.+?_\d{8}T\d{6,}_/u;

/** Names beyond these are left to the list of the row. */
const MOST_NAMES = 2;
/** A beginning in common that is shorter does not tell the kind of a file. */
const SHORTEST_BEGINNING = 5;

/** `AlwaysOn_health_*.xel`, or the first names where they have nothing in common. */
export function commonName(names: readonly string[]): string {
  const short = [...new Set(names.map((name) => name.replace(LOG_SCOUT, "")))].toSorted();
  const [first = "", ...others] = short;
  if (others.length === 0) return first;
  const start = first.slice(
    0,
    lengthInCommon(short, (name, i) => name[i]),
  );
  const rest = short.map((name) => name.slice(start.length));
  const length = lengthInCommon(rest, (name, i) => name[name.length - 1 - i]);
  const end = length === 0 ? "" : first.slice(-length);
  // Numbers of rollover files differ in their first digits only.
  const beginning = start.replace(/\d+$/u, "");
  if (
    rest.every((part) => part !== "") &&
    beginning.length >= SHORTEST_BEGINNING &&
    /^\d*(?:\.\w+)?$/u.test(end)
  )
    return `${beginning}*${end.replace(/^\d+/u, "")}`;
  const more = short.length > MOST_NAMES ? ", …" : "";
  return `${short.slice(0, MOST_NAMES).join(", ")}${more}`;
}

/** Number of letters that all names have in common, in the order in which `letter` returns them. */
function lengthInCommon(
  [first = "", ...others]: readonly string[],
  letter: (name: string, index: number) => string | undefined,
): number {
  let length = 0;
  while (
    length < first.length &&
    others.every((other) => length < other.length && letter(other, length) === letter(first, length))
  )
    length++;
  return length;
}
