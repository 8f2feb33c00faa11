import { filetimeText, readXel } from "xel-parser/format";

/** Start and end of a file that a user picked or dropped, as ISO 8601 with seven decimals. */
export async function timeSpan(file: File): Promise<{ from: string; to: string } | null> {
  let first: bigint | undefined;
  let last: bigint | undefined;
  for await (const { ticks } of readXel(file.stream())) {
    if (first === undefined || ticks < first) first = ticks;
    if (last === undefined || ticks > last) last = ticks;
  }
  if (first === undefined || last === undefined) return null;
  return { from: filetimeText(first), to: filetimeText(last) };
}
