/** The line on a terminal that shows how much of the files was read. */
import { statSync } from "node:fs";

/** The line appears after so many ms, so that short commands have none. */
const FIRST_MS = 500;
const NEXT_MS = 200;
const CLEAR_LINE = "\r\u001B[2K";

interface Progress {
  /** Bytes of all files. */
  readonly total: number;
  nextMs: number;
  isShown: boolean;
}

let current: Progress | null = null;
/** Number of bytes that were read, which threads count together; null without a line. */
let counter: BigInt64Array<SharedArrayBuffer> | null = null;

/**
 * Shows the progress of reading these files on standard error while `work` runs, if that is a terminal and the output
 * isn't on it. The line is removed at the end.
 * @param output where `work` prints meanwhile; null where it prints at the end, or after `clearProgress`
 */
export async function withProgress<Result>(
  paths: readonly string[],
  work: () => Promise<Result>,
  output: Pick<NodeJS.WriteStream, "isTTY"> | null = null,
): Promise<Result> {
  if (!process.stderr.isTTY || output?.isTTY === true || current !== null) return work();
  const total = paths.reduce((sum, path) => sum + bytesOf(path), 0);
  current = { total, nextMs: performance.now() + FIRST_MS, isShown: false };
  counter = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  // For threads; a reader that never waits lets no timer run, and draws itself.
  const timer = setInterval(draw, NEXT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    clearProgress();
    current = null;
    counter = null;
  }
}

/** Counts bytes that were read. */
export function countRead(bytes: number): void {
  if (counter === null) return;
  Atomics.add(counter, 0, BigInt(bytes));
  draw();
}

/** For threads that read files: where they count, as `workerData` for `countInto`. */
export const progressCounter = (): BigInt64Array<SharedArrayBuffer> | null => counter;

/** In a thread: counts for the thread that shows the progress. */
export function countInto(shared: BigInt64Array<SharedArrayBuffer> | null): void {
  counter = shared;
}

/** Removes the line, before another text appears there. */
export function clearProgress(): void {
  if (current?.isShown !== true) return;
  process.stderr.write(CLEAR_LINE);
  current.isShown = false;
}

function draw(): void {
  if (current === null || counter === null) return;
  const now = performance.now();
  if (now < current.nextMs) return;
  current.nextMs = now + NEXT_MS;
  current.isShown = true;
  process.stderr.write(`${CLEAR_LINE}${lineOf(Number(Atomics.load(counter, 0)), current.total)}`);
}

function lineOf(bytes: number, total: number): string {
  if (total === 0) return `${megabytes(bytes)} MB read`;
  // Files that are read twice count once.
  const read = Math.min(bytes, total);
  return `${megabytes(read)} of ${megabytes(total)} MB read (${Math.floor((100 * read) / total)} %)`;
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
