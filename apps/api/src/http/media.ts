/** Tables as Apache Arrow IPC streams. */
export const ARROW = "application/vnd.apache.arrow.stream";
