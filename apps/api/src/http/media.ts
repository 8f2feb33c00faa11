/** Tables as Apache Arrow IPC streams. */
export const ARROW = "application/vnd.apache.arrow.stream";
export const PARQUET = "application/vnd.apache.parquet";
/** A Perfetto trace; no media type of its own is registered. */
export const PERFETTO = "application/x-protobuf";
