/** Ends of names differ: those of event files are the time at which each began. */
const END = 14;

/** A long name without its middle. @param most characters */
export function shortName(name: string, most = 32): string {
  return name.length <= most ? name : `${name.slice(0, most - END - 1)}…${name.slice(-END)}`;
}
