/** Bytes of an event in a file, about. */
const EVENT_BYTES = 60;

/** How many events files of so many bytes have, about: how much memory is made ready, no more. */
export const eventsIn = (bytes: number): number => bytes / EVENT_BYTES;
