/** The tables can't be written to the folder that was provided. */
export class UnwritableError extends Error {
  readonly code = "tables.unwritable";
}

/** Runs work that writes to a folder. @throws UnwritableError where the system refuses it */
export async function writingTo<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new UnwritableError(
      `Can't write to ${folder}: ${error.message}. Choose another folder with --out.`,
    );
  }
}
