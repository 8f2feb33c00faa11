import type { GiveBack } from "@aglens/ag-model/replication";

/** Memory that a thread needs no longer is there for others at once. */
export const giveBack: GiveBack = (memory) => memory.forEach((buffer) => buffer.transfer(0));
