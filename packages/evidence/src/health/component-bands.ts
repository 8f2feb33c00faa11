import type { XelEvent } from "xel-parser/format";
import type { ComponentReport } from "../samples/components.ts";
import type { EvidenceEvent, EvidenceSource } from "../shapes.ts";
import { textOf } from "./fields.ts";

/** Results of one component that follow each other with the same state. */
interface Band {
  readonly component: string;
  readonly state: string;
  readonly before: string | null;
  fromUs: number;
  atUs: number;
  count: number;
  readonly source: EvidenceSource;
}

const MINUTE_US = 60_000_000;
/** system_health records a result of each component every five minutes, the cluster more often. */
const INTERVAL_US = 5 * MINUTE_US;
/** A longer silence ends a band: nothing is known about the time between. */
const LONGEST_GAP_US = 11 * MINUTE_US;
const MOST_BANDS = 10_000;

/**
 * Gathers the results of `sp_server_diagnostics` into bands: a result is about the interval that ends with it, and is no
 * single time. Results of a component with one state are one event with their count.
 */
export class ComponentBands {
  readonly #open = new Map<string, Band>();
  readonly #done: Band[] = [];
  /** Requests that waited, or workers that did not yield, in the interval of a result. */
  readonly #reports: (Pick<EvidenceEvent, "kind" | "count" | "atUs" | "fromUs"> & {
    readonly source: EvidenceSource;
    readonly text: (on: string) => string;
  })[] = [];
  take(event: XelEvent, report: ComponentReport | null, atUs: number, source: EvidenceSource): void {
    const component = textOf(event, "component").toLowerCase();
    const state = (textOf(event, "state_desc") || textOf(event, "state")).toUpperCase();
    const open = this.#open.get(component);
    const since = open === undefined || atUs - open.atUs > LONGEST_GAP_US ? INTERVAL_US : atUs - open.atUs;
    this.#takeReport(report, { atUs, fromUs: atUs - Math.max(since, 0), source });
    if (open !== undefined && open.state === state && Math.abs(atUs - open.atUs) <= LONGEST_GAP_US) {
      open.fromUs = Math.min(open.fromUs, atUs);
      open.atUs = Math.max(open.atUs, atUs);
      open.count++;
      return;
    }
    const gap = open === undefined ? Infinity : atUs - open.atUs;
    const continues = gap >= 0 && gap <= LONGEST_GAP_US;
    if (open !== undefined && this.#done.length < MOST_BANDS) this.#done.push(open);
    this.#open.set(component, {
      component,
      state,
      before: continues ? open!.state : null,
      fromUs: atUs - (continues ? gap : INTERVAL_US),
      atUs,
      count: 1,
      source,
    });
  }

  end(server: string | null): EvidenceEvent[] {
    const on = server === null ? "" : ` on ${server}`;
    const common = { server, group: null, database: null, replica: null, message: null, lsn: null };
    const bands = [...this.#done, ...this.#open.values()].map(
      ({ component, state, before, fromUs, atUs, count, source }): EvidenceEvent => ({
        ...common,
        kind: "health",
        atUs,
        fromUs,
        states: [before, state],
        count,
        text: `Component ${component}${on} reported ${state} (${count} result${count === 1 ? "" : "s"}).`,
        sources: [source],
      }),
    );
    const reports = this.#reports.map(({ source, text, ...report }): EvidenceEvent => ({
      ...common,
      ...report,
      states: null,
      text: text(on),
      sources: [source],
    }));
    return [...bands, ...reports];
  }

  #takeReport(
    report: ComponentReport | null,
    at: Pick<EvidenceEvent, "atUs" | "fromUs"> & { readonly source: EvidenceSource },
  ): void {
    if (this.#reports.length >= MOST_BANDS) return;
    if (report?.component === "io_subsystem" && report.intervalLongIos > 0) {
      const count = report.intervalLongIos;
      const path = report.pending[0]?.path ?? null;
      this.#reports.push({
        ...at,
        kind: "slowIo",
        count,
        text: (on) =>
          `${count} I/O request${count === 1 ? "" : "s"} took at least 15 s${on}${path === null ? "" : `, the longest for ${path}`}.`,
      });
    }
    if (
      report?.component === "query_processing" &&
      (report.hasNonYieldingScheduler || report.hasDeadlockedSchedulers)
    )
      this.#reports.push({
        ...at,
        kind: "scheduler",
        count: 1,
        text: (on) =>
          `A scheduler${on} ${report.hasDeadlockedSchedulers ? "was deadlocked" : "didn't yield"}.`,
      });
  }
}
