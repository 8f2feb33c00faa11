import { createReadStream } from "node:fs";
import { XelFormatError, type FileReport } from "xel-parser/format";

const CHUNK_BYTES = 1 << 20;

/** The bytes of a file in chunks; `-` is standard input. */
export function chunksOf(path: string): AsyncIterable<Uint8Array> {
  return path === "-" ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

/** Prints what was lost, one sentence a line, on standard error. Returns the exit code for the file. */
export function tellGaps(path: string, report: FileReport): number {
  for (const gap of report.gaps) process.stderr.write(`${path}: at byte ${gap.offset}: ${gap.message}\n`);
  return report.clean ? 0 : 1;
}

/** Prints why a file could not be read, on standard error, and returns the exit code. Rethrows what is a fault of ours. */
export function tellFailure(path: string, error: unknown): number {
  const system = error instanceof Error && "code" in error && "syscall" in error;
  if (!(error instanceof XelFormatError) && !system) throw error;
  const reason = system && error.code === "ENOENT" ? "There is no such file." : error.message;
  process.stderr.write(`${path}: ${reason}\n`);
  return 1;
}
