/** An acknowledgement that takes longer to be built waits for others: no work, and time at no place, µs. */
export const ACK_WAITS_US = 1_000;
