/** Work of threads that write files. */
import type { Blobs } from "../../store/blobs.ts";
import type { Job } from "./job.ts";

/**
 * Does a job as long as the disk has room for the files of its thread.
 * @param begin begins it; its argument is to be called when bytes were written
 * @throws ProblemError `disk-full`; errors of the job. The thread writes nothing more then
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
    // Only a thread that has ended writes nothing more.
    await job.cancel();
    throw full ?? error;
  }
}
