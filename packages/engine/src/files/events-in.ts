import { EVENT_BYTES } from "@aglens/ag-model/events";

/** How many events files of so many bytes have, about: how much memory is made ready, no more. */
export const eventsIn = (bytes: number): number => bytes / EVENT_BYTES;
