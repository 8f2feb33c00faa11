/** Tables as Apache Arrow IPC streams. */
export const ARROW = "application/vnd.apache.arrow.stream";
export const PARQUET = "application/vnd.apache.parquet";
