import { createReadStream } from "node:fs";
import { readXel, type FileReport } from "xel-parser/format";

/**
 * Reads to the end for the report: losses with place and cause. Damage throws no exception; a file that is no .xel file
 * does.
 */
export async function reportOf(path: string): Promise<FileReport> {
  const events = readXel(createReadStream(path));
  let item = await events.next();
  while (item.done !== true) item = await events.next();
  for (const gap of item.value.gaps) console.warn(`byte ${gap.offset}: ${gap.message}`);
  return item.value;
}
