/** A screen of an analyzed capture whose answers a test defines. */
import { render, type RenderResult } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import type { Summary } from "@aglens/contract";
import { vi } from "vitest";
import type { CaptureScope } from "@aglens/ag-model/query";
import type { CaptureSource } from "../src/data/capture-source.ts";
import type { Question } from "../src/data/use-answer.ts";
import {
  CaptureContext,
  type CaptureTab,
  type OpenCapture,
} from "../src/screens/capture-view/capture-context.ts";
import { inZone, zoneOf } from "../src/screens/capture-view/zones.ts";
import { DEFAULT_VIEW, type View } from "../src/state/view.ts";
import { settled, withAnswers } from "./answers.tsx";
import { summaryOf } from "./summary.ts";

type Asking = Omit<CaptureSource, "id" | "sql" | "beside" | "scoped">;
type Answered<K extends keyof Asking> =
  NonNullable<ReturnType<Asking[K]>> extends Question<infer T> ? T : never;

/** Answer to a question: a value, a failure, or a promise of one. Without an entry the question is never answered. */
export type Answers = {
  readonly [K in keyof Asking]?: (
    ...asked: Parameters<Asking[K]>
  ) => Answered<K> | Error | Promise<Answered<K>>;
};

/** A source with these answers; every question that was sent is in `asked`, in order. */
export function sourceOf(answers: Answers): CaptureSource & { readonly asked: [string, ...unknown[]][] } {
  const asked: [string, ...unknown[]][] = [];
  const ask =
    (name: keyof Asking) =>
    (...args: never[]): Question<never> => ({
      key: JSON.stringify([name, ...args]),
      ask: async () => {
        asked.push([name, ...args]);
        const answer = answers[name] as ((...args: never[]) => unknown) | undefined;
        if (answer === undefined) return new Promise<never>(() => undefined);
        const given: unknown = await answer(...args);
        if (given instanceof Error) throw given;
        return given as never;
      },
    });
  const source = {
    id: "slow-network",
    sql: null,
    asked,
    // Answers of a part are those of the entire capture; the requested part is in `asked`.
    scoped: (scope: CaptureScope): CaptureSource => {
      asked.push(["scoped", scope]);
      return source;
    },
    summary: ask("summary"),
    scopeSummary: ask("scopeSummary"),
    overview: ask("overview"),
    window: ask("window"),
    commits: ask("commits"),
    markers: ask("markers"),
    notes: ask("notes"),
    table: ask("table"),
    trace: ask("trace"),
    aglensFile: ask("aglensFile"),
    statistics: ask("statistics"),
    hits: ask("hits"),
    hitCounts: ask("hitCounts"),
    slowest: ask("slowest"),
    slowCommits: ask("slowCommits"),
    releases: ask("releases"),
    replicaRows: ask("replicaRows"),
    findLsn: ask("findLsn"),
    findAt: ask("findAt"),
    sequence: ask("sequence"),
    distribution: ask("distribution"),
    rawEvents: ask("rawEvents"),
    eventDensity: ask("eventDensity"),
    spread: ask("spread"),
    beside: () => null,
    waiting: ask("waiting"),
    evidence: ask("evidence"),
    evidenceSamples: ask("evidenceSamples"),
    whatIf: ask("whatIf"),
    whoWaited: ask("whoWaited"),
    prediction: ask("prediction"),
  };
  return source;
}

export interface Opened extends RenderResult {
  readonly source: ReturnType<typeof sourceOf>;
  /** The view as the screen left it. */
  readonly view: () => View;
  readonly open: ReturnType<typeof vi.fn<OpenCapture["open"]>>;
  /** Content that the screen put into the status bar, at the left and at the right. */
  readonly status: () => ReactNode;
  readonly statusRight: () => ReactNode;
}

interface Options {
  readonly summary?: Partial<Summary>;
  readonly view?: Partial<View>;
  readonly answers?: Answers;
  /** A capture that answers on its own, in place of `answers`; with its own `summary`. */
  readonly page?: { readonly source: CaptureSource; readonly summary: Summary };
  /** The screen before; null by default. */
  readonly cameFrom?: CaptureTab | null;
  /** By default as for a link. */
  readonly canChange?: boolean;
  readonly onChanged?: () => void;
}

/** Renders a screen, or a part of one, inside an open capture, and waits for the answers that are available at once. */
export async function openCapture(
  screen: ReactNode,
  {
    summary = {},
    view = {},
    answers = {},
    page,
    cameFrom = null,
    canChange = false,
    onChanged,
  }: Options = {},
): Promise<Opened> {
  const source = sourceOf(answers);
  const whole = page?.summary ?? summaryOf(summary);
  const open = vi.fn<OpenCapture["open"]>();
  const newest: { view: View; status: ReactNode; statusRight: ReactNode } = {
    view: { ...DEFAULT_VIEW, ...view },
    status: null,
    statusRight: null,
  };
  const setStatus = (left: ReactNode, right: ReactNode = null): void => {
    newest.status = left;
    newest.statusRight = right;
  };
  function Capture(): ReactNode {
    const [shown, setShown] = useState(newest.view);
    const setView: OpenCapture["setView"] = (change) => {
      newest.view = { ...newest.view, ...change };
      setShown(newest.view);
    };
    const [stable] = useState(() => ({ setView, setStatus }));
    return (
      <CaptureContext
        value={{
          source: page?.source ?? source,
          summary: shown.time === null ? whole : inZone(whole, zoneOf(shown.time, whole)),
          canChange,
          view: shown,
          open,
          cameFrom,
          onChanged,
          ...stable,
        }}
      >
        {screen}
      </CaptureContext>
    );
  }
  const rendered = render(<Capture />, { wrapper: withAnswers() });
  await settled();
  return {
    ...rendered,
    source,
    open,
    view: () => newest.view,
    status: () => newest.status,
    statusRight: () => newest.statusRight,
  };
}
