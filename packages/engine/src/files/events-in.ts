import { EVENT_BYTES } from "@aglens/ag-model/events";

/** Approximate number of events in files of this size, which only decides how much memory is reserved. */
export const eventsIn = (bytes: number): number => bytes / EVENT_BYTES;
