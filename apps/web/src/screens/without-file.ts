import type { Summary } from "@aglens/contract";

/** True for a replica that takes part and of which no file was given. */
export function isWithoutFile({ replicas }: Summary, index: number): boolean {
  const replica = replicas[index];
  return replica !== undefined && !replica.hasCapture;
}
