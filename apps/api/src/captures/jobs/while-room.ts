/** Work of threads that write files. */
import type { Blobs } from "../../store/blobs.ts";
import type { Job } from "./job.ts";

/**
 * Does a job as long as the disk has room for what its thread writes.
 * @param begin begins it; what it is given is to be called when bytes were written
 * @throws ProblemError `disk-full`; what the job throws. The thread writes no more then
 */
export async function whileRoom<T>(
  blobs: Pick<Blobs, "expectRoom">,
  begin: (onBytes: () => void) => Job<T>,
): Promise<T> {
  let full: unknown = null;
  const job = begin(() => {
    blobs.expectRoom().catch((error: unknown) => {
      full ??= error;
      void job.cancel();
    });
  });
  try {
    return await job.done;
  } catch (error) {
    // Only an ended thread writes no more.
    await job.cancel();
    throw full ?? error;
  }
}
