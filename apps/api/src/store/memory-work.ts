/** The work on captures where one server does it all: known in its memory, it ends with the process. */
import type { Catalog, CaptureWork } from "./catalog.ts";
import { LeaseLostError } from "./work-table.ts";
import type { OwnWorkTable, TakenAnalysis } from "./work-table.ts";

interface Row extends CaptureWork {
  /** Null until an analysis is taken. */
  token: string | null;
  /** Whether it is stored that the analysis is asked for: it can be taken from then on. */
  isAsked: boolean;
}

/** @param catalogue that no other server changes */
export function memoryWork(catalogue: Catalog): OwnWorkTable {
  const rows = new Map<string, Row>();
  const isOf = (id: string, token: string): boolean => rows.get(id)?.token === token;
  const taken = (id: string, token: string): boolean => {
    const row = rows.get(id);
    if (row === undefined || !row.isAsked || row.token !== null) return false;
    row.token = token;
    return true;
  };
  return {
    rows,
    kindOf: (id) => Promise.resolve(rows.get(id)?.kind ?? null),
    ask: async (id, change, _analysisOf, isReady) => {
      const other = rows.get(id);
      if (other !== undefined) return other.kind;
      const row: Row = { kind: "analysis", token: null, isAsked: false };
      // From now on no other work begins, because storing the request takes a while.
      rows.set(id, row);
      try {
        await isReady?.();
        const record = await catalogue.changeCapture(id, (before) => change(before, null));
        row.isAsked = record !== null;
        return record;
      } finally {
        if (!row.isAsked) rows.delete(id);
      }
    },
    take: ({ token }) => {
      const id = rows.keys().find((each) => taken(each, token));
      const analysis: TakenAnalysis | null =
        id === undefined ? null : { id, token, attempts: 0, isCancelled: false };
      return Promise.resolve(analysis);
    },
    seize: (id, _server, token) => Promise.resolve(taken(id, token)),
    cancel: (id) => Promise.resolve(rows.get(id)?.kind === "analysis"),
    hold: (id, _server, token) => {
      const other = rows.get(id);
      if (other === undefined) rows.set(id, { kind: "hold", token, isAsked: false });
      return Promise.resolve(other?.kind ?? null);
    },
    heldBy: () => ({
      changeCapture: (...change) => catalogue.changeCapture(...change),
      deleteCapture: (id) => catalogue.deleteCapture(id),
      savePlan: (plan) => catalogue.savePlan(plan),
      deletePlan: (id) => catalogue.deletePlan(id),
      endPlan: (...plan) => catalogue.endPlan(...plan),
      expectHeld: () => Promise.resolve(),
    }),
    end: async (id, token, change) => {
      if (!isOf(id, token)) throw new LeaseLostError("The work on a capture has ended.");
      const record = await catalogue.changeCapture(id, (before) => change(before, null));
      if (isOf(id, token)) rows.delete(id);
      return record;
    },
    release: (id, token) => {
      if (isOf(id, token)) rows.delete(id);
      return Promise.resolve();
    },
  };
}
