/** `xel tables (arguments of analyze) --perfetto --out DIR`: a capture as a Perfetto trace (docs/reference/perfetto.md). */
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { AnalyzedCapture } from "@aglens/ag-model/commands";
import { captureTrace } from "@aglens/ag-model/trace";
import { perfettoPieces } from "@aglens/contract";

/** Slices of a trace on a disk: some 300 MB, which Perfetto still opens in a browser. */
const MOST_SLICES = 2_500_000;

/** Writes the trace of the complete capture piece by piece, and names the file. */
export async function writePerfetto(
  { model, name, evidence }: AnalyzedCapture,
  folder: string,
  write: (text: string) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "capture.pftrace");
  const trace = captureTrace(model, {
    from: 0,
    to: Infinity,
    most: MOST_SLICES,
    ...(evidence && { evidence }),
    about: [["capture", name]],
  });
  const file = await open(path, "w");
  try {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: the file is never completely in memory
    for (const piece of perfettoPieces(trace)) await file.writeFile(piece);
  } finally {
    await file.close();
  }
  const count = (of: string): string => String(trace.about.find(([arg]) => arg === of)?.[1] ?? "");
  write(name);
  write(`  ${path}  log blocks: ${count("log_blocks")}, commits: ${count("commits")}`);
}
