/**
 * The analyses of all servers that share a table, as this server read them last. A single server does not read any: it
 * runs all itself.
 */
import type { Progress } from "@aglens/contract";
import { plural } from "@aglens/ag-model/words";
import type { SharedAnalysis } from "../../store/work-table.ts";

export class SeenAnalyses {
  /** Waiting ones are in the order of their turns. */
  #seen: readonly SharedAnalysis[] = [];

  /** Number of analyses that no server has begun. */
  get waiting(): number {
    return this.#seen.filter(({ server }) => server === null).length;
  }

  /** Null without an analysis of that capture. */
  progressOf(id: string): Progress | null {
    const analysis = this.#seen.find((one) => one.id === id);
    if (analysis === undefined) return null;
    return analysis.server === null ? this.#waiting(analysis) : analysis.progress;
  }

  /** Its end is known here before the table is read again. */
  remove(id: string): void {
    this.#seen = this.#seen.filter((one) => one.id !== id);
  }

  /** @returns ids of those that are further than before, and of those that are there no longer */
  replace(seen: readonly SharedAnalysis[]): { readonly further: string[]; readonly gone: string[] } {
    const before = new Map(this.#seen.map(({ id }) => [id, JSON.stringify(this.progressOf(id))]));
    this.#seen = seen;
    const ids = new Set(seen.map(({ id }) => id));
    return {
      further: [...ids].filter((id) => JSON.stringify(this.progressOf(id)) !== before.get(id)),
      gone: [...before.keys()].filter((id) => !ids.has(id)),
    };
  }

  #waiting({ id, progress }: SharedAnalysis): Progress {
    const before = this.#seen.filter(({ server }) => server === null).findIndex((one) => one.id === id);
    const servers = this.#seen.flatMap(({ server }) => server ?? []);
    const running = `${plural(servers.length, "# analysis runs", "# analyses run")} on ${plural(new Set(servers).size, "# server")}`;
    const reason =
      before === 0
        ? `${running}; the next server that has room takes it.`
        : `${running} and ${before} wait before it.`;
    return { ...progress, phase: "waiting", waiting: { place: before + 1, reason } };
  }
}
