import { Unzip, UnzipInflate } from "fflate";
import type { UnzipFile } from "fflate";

/** Why a zip was refused; `code` is stable. */
export class ZipError extends Error {
  readonly code: "too-many-entries" | "too-big" | "unreadable";
  constructor(code: ZipError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface ZipBounds {
  readonly maxEntries: number;
  /** Bytes of all entries together after inflating. */
  readonly maxBytes: number;
  /** Inflated bytes per zip byte, looked at past RATIO_FROM bytes. Event files deflate 5 to 30 times. */
  readonly maxRatio: number;
}

/** Receives one entry. */
export interface EntrySink {
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

const RATIO_FROM = 64 * 1024 * 1024;
const STEP = 16 * 1024;

interface Piece {
  readonly entry: number;
  readonly bytes: Uint8Array;
  readonly final: boolean;
}

/**
 * Inflates a zip as it streams; memory stays at one step whatever the size.
 * Sizes the zip declares are not trusted: what comes out is counted.
 * @param open gives the sink of an entry, or null to leave it out
 * @throws ZipError
 */
export async function unzip(
  source: AsyncIterable<Uint8Array>,
  bounds: ZipBounds,
  open: (name: string) => Promise<EntrySink | null>,
): Promise<void> {
  const sinks: (EntrySink | null)[] = [];
  const names: string[] = [];
  let pieces: Piece[] = [];
  let failure: Error | null = null;
  let bytesIn = 0;
  let bytesOut = 0;
  let unfinished = 0;

  const unzipper = new Unzip((file: UnzipFile) => {
    const entry = names.push(file.name) - 1;
    unfinished += 1;
    file.ondata = (error, bytes, final) => {
      if (error) failure ??= error;
      else pieces.push({ entry, bytes, final });
    };
    try {
      file.start();
    } catch (error) {
      failure ??= error as Error;
    }
  });
  unzipper.register(UnzipInflate);

  const check = (): void => {
    if (failure)
      throw new ZipError("unreadable", `An entry of the zip cannot be inflated: ${failure.message}.`);
    if (names.length > bounds.maxEntries) {
      throw new ZipError("too-many-entries", `The zip has more than ${bounds.maxEntries} entries.`);
    }
    for (const piece of pieces) bytesOut += piece.bytes.byteLength;
    if (bytesOut > bounds.maxBytes) {
      throw new ZipError("too-big", `The zip holds more than ${bounds.maxBytes} bytes.`);
    }
    if (bytesOut > RATIO_FROM && bytesOut > bytesIn * bounds.maxRatio) {
      throw new ZipError(
        "too-big",
        `The zip inflates more than ${bounds.maxRatio} times, as no event file does.`,
      );
    }
  };

  const drain = async (): Promise<void> => {
    check();
    const ready = pieces;
    pieces = [];
    while (sinks.length < names.length) sinks.push(await open(names[sinks.length]));
    for (const { entry, bytes, final } of ready) {
      const sink = sinks[entry];
      if (bytes.byteLength > 0) await sink?.write(bytes);
      if (!final) continue;
      unfinished -= 1;
      await sink?.end();
    }
  };

  const push = (bytes: Uint8Array, final: boolean): void => {
    try {
      unzipper.push(bytes, final);
    } catch (error) {
      throw new ZipError(
        "unreadable",
        `The zip is damaged after ${bytesIn} bytes: ${(error as Error).message}.`,
      );
    }
  };

  for await (const chunk of source) {
    for (let from = 0; from < chunk.byteLength; from += STEP) {
      const step = chunk.subarray(from, from + STEP);
      bytesIn += step.byteLength;
      push(step, false);
      await drain();
    }
  }
  push(new Uint8Array(0), true);
  await drain();
  if (unfinished > 0) throw new ZipError("unreadable", "The zip ends inside an entry; upload it again.");
  if (names.length === 0) throw new ZipError("unreadable", "The zip has no entries.");
}

/** Whether bytes begin as a zip does. */
export function looksLikeZip(head: Uint8Array): boolean {
  return (
    head[0] === 0x50 &&
    head[1] === 0x4b &&
    (head[2] === 3 || head[2] === 5) &&
    (head[3] === 4 || head[3] === 6)
  );
}
