import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { XelFormatError, type ByteSource } from "xel-parser/format";
import { EXIT } from "./exit-codes.ts";
import { clearProgress, countRead } from "./progress.ts";

const CHUNK_BYTES = 1 << 20;

/**
 * The bytes of a file in chunks; `-` is standard input. Opened with the first request for bytes: without one nothing
 * stays open.
 */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> =
    path === "-" ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of chunks) {
    countRead(chunk.length);
    yield chunk;
  }
}

/**
 * A file's bytes in order, read by the requesting thread: only for a thread that has nothing else to do meanwhile.
 * Nothing is copied on the way, and no new memory is needed.
 * @param onBytes called with the bytes that were read
 */
export function sourceOf(path: string, onBytes?: (bytes: Uint8Array) => void): ByteSource {
  const file = openSync(path, "r");
  return {
    read(into) {
      const bytes = readSync(file, into);
      countRead(bytes);
      onBytes?.(into.subarray(0, bytes));
      return bytes;
    },
    close: () => closeSync(file),
  };
}

/** Unreadable parts of a file. */
interface Lost {
  readonly gaps: readonly {
    readonly code: string;
    readonly offset: number;
    readonly message: string;
    readonly eventsLost?: number | undefined;
  }[];
  readonly unlistedGaps?: number;
}

/**
 * Prints losses, one sentence a line, on standard error. Returns the exit code for the file: 1 after damage, 0 also
 * when the file only ends in a buffer that is still being written.
 */
export function reportGaps(path: string, report: Lost): number {
  clearProgress();
  for (const { offset, message, eventsLost } of report.gaps) {
    const lost = eventsLost === undefined ? "" : ` Events lost: ${eventsLost}.`;
    process.stderr.write(`${path}: at byte ${offset}: ${message}${lost}\n`);
  }
  if (report.unlistedGaps !== undefined) {
    process.stderr.write(`${path}: ${report.unlistedGaps} more gaps are not listed.\n`);
  }
  return report.gaps.every(({ code }) => code === "truncated") ? EXIT.complete : EXIT.damaged;
}

/** The sentence about an event that --event asks for and no file has: a wrong name must not look like no events. */
export const noSuchEvent = (name: string): string =>
  `The files contain no event ${name}. Check the name after --event.`;

/** Reason why the system refuses a file, and the next step; by the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder exists. Check the path, or provide the folder that contains the file.",
  ENOTDIR: "no such file or folder exists. Check the path, or provide the folder that contains the file.",
  EACCES: "permission is denied. Run xel as a user who can read it, or provide a copy.",
  EPERM: "permission is denied. Run xel as a user who can read it, or provide a copy.",
  EBUSY: "another program uses it. Stop that program, or provide a copy.",
  EISDIR: "it's a folder. Provide a file in it.",
  ENOSPC: "the disk for temporary files is full. Free space there, or set TMPDIR to a folder with more.",
};

/**
 * The sentences for a file or folder that the system does not let a program read: event, cause and next step.
 * @returns undefined for an error that isn't the system's
 */
export function unreadableText(path: string, error: unknown): string | undefined {
  // An error that is sent between threads keeps only its code.
  if (!(error instanceof Error) || !("code" in error) || !/^E[A-Z0-9]+$/u.test(String(error.code))) return;
  const reason = REASONS[String(error.code)] ?? `${error.message}. Provide a copy on a local disk.`;
  return `Can't read ${path}: ${reason}`;
}

/**
 * Prints on standard error why a file could not be read, and returns the exit code. Rethrows errors of this program.
 */
export function reportFailure(path: string, error: unknown): number {
  const text = error instanceof XelFormatError ? `${path}: ${error.message}` : unreadableText(path, error);
  if (text === undefined) throw error;
  clearProgress();
  process.stderr.write(`${text}\n`);
  return EXIT.nothing;
}
