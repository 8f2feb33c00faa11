/** End of an analysis whose files arrive while it reads them. */
import { AnalysisError } from "@aglens/engine/analysis";
import type { Job } from "./job.ts";

/**
 * The result of an analysis, or the reason for its failure: the fault of the incoming files, or the analysis's own
 * error.
 * @param came resolves when all files are there; rejects with the fault of those that arrived
 * @param isComing whether some files are not complete yet
 */
export async function outcomeOf<Result>(
  job: Job<Result>,
  came: Promise<void>,
  isComing: () => boolean,
): Promise<Result> {
  const ownFailure = new Promise<never>((_, reject) => {
    job.done.catch((error: unknown) => {
      // A file that breaks off fails the job too, which does not know the reason; the checksum of a complete file is
      // not known yet.
      if (error instanceof AnalysisError && isComing()) reject(error);
    });
  });
  const allCame = came.catch(async (error: unknown) => {
    await job.cancel();
    throw error;
  });
  await Promise.race([allCame, ownFailure]);
  return job.done;
}
