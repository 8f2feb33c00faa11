import type { EvidenceSeries } from "../shapes.ts";
import type { ComponentReport } from "./components.ts";

/** A component reports every five minutes, on a cluster every some seconds: this is a month of the latter. */
const MOST_REPORTS = 300_000;

/** A metric of a component's reports, and the payload's name of it. */
interface Metric {
  readonly metric: string;
  readonly unit: EvidenceSeries["unit"];
  readonly form: EvidenceSeries["form"];
  readonly column: string;
  /** NaN for the report of another component. */
  readonly valueOf: (report: ComponentReport) => number;
}

const METRICS: readonly Metric[] = [
  {
    metric: "requests over 15 s",
    unit: "count",
    // The interval's own count is wrong where two sessions record the same server.
    form: "delta",
    column: "totalLongIos",
    valueOf: (report) => (report.component === "io_subsystem" ? report.totalLongIos : Number.NaN),
  },
  {
    metric: "I/O latch timeouts",
    unit: "count",
    form: "delta",
    column: "ioLatchTimeouts",
    valueOf: (report) => (report.component === "io_subsystem" ? report.ioLatchTimeouts : Number.NaN),
  },
  {
    metric: "longest pending I/O",
    unit: "ms",
    form: "sample",
    column: "longestPendingRequests",
    valueOf: (report) =>
      report.component === "io_subsystem" ? (report.pending[0]?.durationMs ?? 0) : Number.NaN,
  },
  {
    metric: "pending tasks",
    unit: "count",
    form: "sample",
    column: "pendingTasks",
    valueOf: (report) => (report.component === "query_processing" ? report.pendingTasks : Number.NaN),
  },
  {
    metric: "workers in use",
    unit: "count",
    form: "sample",
    column: "workersCreated",
    valueOf: (report) =>
      report.component === "query_processing" ? report.workersCreated - report.workersIdle : Number.NaN,
  },
  {
    metric: "available memory",
    unit: "bytes",
    form: "sample",
    column: "Available Physical Memory",
    valueOf: (report) =>
      report.component === "resource" ? (report.availablePhysicalBytes ?? Number.NaN) : Number.NaN,
  },
];

/** Gathers the reports of `sp_server_diagnostics` of a file into series. */
export class ComponentSeries {
  readonly #points = METRICS.map((): [atUs: number, value: number][] => []);
  #count = 0;

  /** @param atUs time of the report, in µs since 1970 */
  add(atUs: number, report: ComponentReport): void {
    if (++this.#count > MOST_REPORTS) return;
    for (const [at, { valueOf }] of METRICS.entries()) {
      const value = valueOf(report);
      if (!Number.isNaN(value)) this.#points[at]?.push([atUs, value]);
    }
  }

  end(file: string, server: string | null): EvidenceSeries[] {
    return METRICS.flatMap(({ metric, unit, form, column }, index): EvidenceSeries[] => {
      const points = (this.#points[index] ?? []).sort(([a], [b]) => a - b);
      if (points.length === 0) return [];
      const values = Float64Array.from(points, ([, value]) => value);
      const isDelta = form === "delta" && points.length > 1;
      return [
        {
          metric,
          unit,
          server,
          of: null,
          form: form === "delta" && !isDelta ? "cumulative" : form,
          atUs: Float64Array.from(points, ([atUs]) => atUs),
          values: isDelta ? risesOf(values) : values,
          source: { file, column },
        },
      ];
    });
  }
}

/** Rises of a counter; NaN for the first value, and where it went back: SQL Server started again. */
const risesOf = (values: Float64Array): Float64Array =>
  values.map((value, at) => {
    const rise = value - (values[at - 1] ?? Number.NaN);
    return rise >= 0 ? rise : Number.NaN;
  });
