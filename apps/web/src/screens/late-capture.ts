import { STAGES } from "@aglens/ag-model/replication";

const LIMIT_US = STAGES.find(({ id }) => id === "captureLag")!.limitUs;

/**
 * True where a block waited on the primary for its capture: flow control held it, or the thread that compresses was busy. Remote harden
 * begins after that, so that commits wait for something that none of its stages shows. Else the lag is µs, and no stage of its own.
 */
export const isLateCapture = (lagUs: number | null | undefined): boolean => (lagUs ?? 0) > LIMIT_US;
