/** Server's progress in reading a file that is being sent to it. */
import { type ReadSoFar, UploadInParts } from "@aglens/contract";
import { readJson } from "./request.ts";

/** Between two questions, ms. */
const ASK_MS = 500;
/** The same before the first data to draw, ms. */
const ASK_FIRST_MS = 150;

interface Watch {
  /** Path of the upload, below the API. */
  readonly path: string;
  /** True while nothing is sent: then no question is asked either. */
  readonly isHeld: () => boolean;
  /** @param read null where the server reads the file only when it is complete */
  readonly onRead: (read: ReadSoFar | null) => void;
  readonly signal: AbortSignal;
}

/** Asks until it is ended, one question after the other. Never rejects: the upload itself reports its failure. */
export async function watchReading({ path, isHeld, onRead, signal }: Watch): Promise<void> {
  let pauseMs = ASK_FIRST_MS;
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- the next question comes after the answer to this one
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (signal.aborted || isHeld()) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const upload = await readJson(UploadInParts, path, { signal }).catch(() => null);
    // Before its first bytes it is unknown whether the server reads the file while it arrives.
    if (upload === null || upload.files !== null || upload.received === 0 || signal.aborted) continue;
    const { read = null } = upload;
    if (read === null || read.points.length > 1) pauseMs = ASK_MS;
    onRead(read);
  }
}
