/** The line on a terminal that shows how much of the files was read. */
import { statSync } from "node:fs";

/** The line appears after so many ms, so that short commands have none. */
const FIRST_MS = 500;
const NEXT_MS = 200;
const CLEAR_LINE = "\r\u001B[2K";

interface Progress {
  readonly total: number;
  bytes: number;
  nextMs: number;
  isShown: boolean;
}

let current: Progress | null = null;

/**
 * Shows the progress of reading these files on standard error while `work` runs, if that is a terminal and the output
 * isn't on it. The line is removed at the end.
 */
export async function withProgress<Result>(
  paths: readonly string[],
  work: () => Promise<Result>,
  output: Pick<NodeJS.WriteStream, "isTTY"> | null = process.stdout,
): Promise<Result> {
  if (!process.stderr.isTTY || output?.isTTY === true || current !== null) return work();
  const total = paths.reduce((sum, path) => sum + bytesOf(path), 0);
  current = { total, bytes: 0, nextMs: performance.now() + FIRST_MS, isShown: false };
  try {
    return await work();
  } finally {
    clearProgress();
    current = null;
  }
}

/** Counts bytes that were read. Draws the line from here: readers that never wait would not let a timer run. */
export function countRead(bytes: number): void {
  if (current === null) return;
  current.bytes += bytes;
  const now = performance.now();
  if (now < current.nextMs) return;
  current.nextMs = now + NEXT_MS;
  current.isShown = true;
  process.stderr.write(`${CLEAR_LINE}${lineOf(current)}`);
}

/** Removes the line, before another text appears there. */
export function clearProgress(): void {
  if (current?.isShown !== true) return;
  process.stderr.write(CLEAR_LINE);
  current.isShown = false;
}

function lineOf({ bytes, total }: Progress): string {
  const read = `${megabytes(bytes)} MB`;
  if (total === 0) return `${read} read`;
  const percent = Math.min(100, Math.floor((100 * bytes) / total));
  return `${read} of ${megabytes(total)} MB read (${percent} %)`;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/** 0 for standard input and for what can't be read. */
function bytesOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}
