import { createReadStream } from "node:fs";
import { readXel } from "xel-parser/format";

/** Counts the events of a file by name, with one buffer of it in memory at a time. */
export async function countByName(path: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const event of readXel(createReadStream(path))) {
    counts.set(event.name, (counts.get(event.name) ?? 0) + 1);
  }
  return counts;
}
