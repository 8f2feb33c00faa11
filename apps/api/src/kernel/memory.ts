/** The memory that this process may use. */
import { totalmem } from "node:os";

/** Bytes: of the machine, or of its control group where that has fewer. */
export function memoryOfProcess(): number {
  // 0 or more than there is where nothing constrains the process.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(totalmem(), constrained);
}
