/**
 * Number of characters that are kept at the end, because the names of event files end with the time at which each
 * began.
 */
const END = 14;

/** A long name without its middle. @param most characters */
export function shortName(name: string, most = 32): string {
  return name.length <= most ? name : `${name.slice(0, most - END - 1)}…${name.slice(-END)}`;
}
