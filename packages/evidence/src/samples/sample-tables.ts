/** Tables of views of SQL Server in the files of tools: which columns are read, and as which metric. */
import type { EvidenceSeries } from "../shapes.ts";

/** A metric, and the columns that have it, each with the factor to its unit; names are in lower case. */
export interface MetricRule {
  readonly metric: string;
  readonly unit: EvidenceSeries["unit"];
  readonly form: EvidenceSeries["form"];
  readonly columns: Readonly<Record<string, number>>;
}

export interface TableRule {
  /** Name of the table for people. */
  readonly name: string;
  /** Column that names wait type, file or scheduler. */
  readonly key: readonly string[];
  /** A type that a snapshot does not list had no figures then. */
  readonly absentIsZero: boolean;
  readonly metrics: readonly MetricRule[];
  /** Columns that no metric needs. */
  readonly unused: ReadonlySet<string>;
  /** Cells of a row that is read; other rows are skipped. */
  readonly only?: { readonly column: string; readonly value: string };
  readonly keyText?: (key: string) => string;
}

/** Columns with the time of a row; the first list is UTC, the second local time. */
export const UTC_COLUMNS = [
  "runtime_utc",
  "collection_time_utc",
  "capture_time_utc",
  "sample_time_utc",
  "utc",
];
export const LOCAL_COLUMNS = [
  "runtime",
  "collection_time",
  "collectiontime",
  "capture_time",
  "capturetime",
  "sample_time",
  "sampletime",
  "snapshot_time",
  "snapshottime",
  "checkdate",
];

const waitMetrics: readonly MetricRule[] = [
  { metric: "wait time", unit: "ms", form: "delta", columns: { wait_time_ms: 1, wait_s: 1000 } },
  {
    metric: "signal wait time",
    unit: "ms",
    form: "delta",
    columns: { signal_wait_time_ms: 1, signal_s: 1000 },
  },
  { metric: "resource wait time", unit: "ms", form: "delta", columns: { resource_s: 1000 } },
  { metric: "waits", unit: "count", form: "delta", columns: { waiting_tasks_count: 1, waitcount: 1 } },
  { metric: "longest wait", unit: "ms", form: "cumulative", columns: { max_wait_time_ms: 1 } },
  { metric: "share of waits", unit: "share", form: "cumulative", columns: { percentage: 0.01 } },
];

/** Waits in the output of a script that lists all types with figures. */
export const WAITS: TableRule = {
  name: "wait statistics",
  key: ["wait_type", "waittype"],
  absentIsZero: true,
  metrics: waitMetrics,
  unused: new Set(["avgwait_s", "avgres_s", "avgsig_s", "help/info url"]),
};

/** Waits as a script printed them that may leave out types. */
export const CHOSEN_WAITS: TableRule = { ...WAITS, absentIsZero: false };

export const FILE_STATISTICS: TableRule = {
  name: "file statistics",
  key: ["physical_name"],
  absentIsZero: false,
  metrics: [
    { metric: "average read latency", unit: "ms", form: "cumulative", columns: { average_read_latency: 1 } },
    {
      metric: "average write latency",
      unit: "ms",
      form: "cumulative",
      columns: { average_write_latency: 1 },
    },
    { metric: "average read size", unit: "bytes", form: "cumulative", columns: { average_bytes_read: 1 } },
    { metric: "average write size", unit: "bytes", form: "cumulative", columns: { average_bytes_write: 1 } },
    { metric: "file size", unit: "bytes", form: "sample", columns: { file_size_mb: 1024 * 1024 } },
  ],
  unused: new Set(["database_name"]),
};

export const SCHEDULERS: TableRule = {
  name: "schedulers",
  key: ["scheduler_id"],
  absentIsZero: false,
  metrics: [
    { metric: "runnable tasks", unit: "count", form: "sample", columns: { runnable_tasks_count: 1 } },
    { metric: "tasks without a worker", unit: "count", form: "sample", columns: { work_queue_count: 1 } },
    { metric: "pending I/O", unit: "count", form: "sample", columns: { pending_disk_io_count: 1 } },
  ],
  unused: new Set(["scheduler_address", "parent_node_id", "cpu_id", "status"]),
  // Hidden schedulers run no requests of users.
  only: { column: "status", value: "VISIBLE ONLINE" },
  keyText: (id) => `scheduler ${id}`,
};
