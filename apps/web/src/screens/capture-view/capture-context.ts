import { createContext, type ReactNode, use } from "react";
import type { CaptureSource } from "../../data/capture-source.ts";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import type { SetView } from "../../state/use-view.ts";
import type { View } from "../../state/view.ts";
import type { ZonedSummary } from "./zones.ts";

export type CaptureTab =
  | "overview"
  | "timeline"
  | "sequence"
  | "distribution"
  | "waiting"
  | "compare"
  | "what-if"
  | "raw-events"
  | "sql"
  | "how-read";

/** Names of the screens. */
export const TAB_LABELS: Readonly<Record<CaptureTab, string>> = {
  overview: "Overview",
  timeline: "Timeline",
  sequence: "Sequence",
  distribution: "Distribution",
  waiting: "Waiting",
  compare: "Compare",
  "what-if": texts.whatIf,
  "raw-events": texts.rawEvents,
  sql: "SQL",
  "how-read": texts.howThisWasRead,
};

/** Screens of a capture without data-movement events; all others need log blocks. */
const TABS_ALONE: readonly CaptureTab[] = ["timeline", "sql"];

/** Whether the files of a capture have no data-movement events: it shows what happened, without a figure of a stage. */
export const isAlone = ({
  replicas,
}: {
  readonly replicas: readonly { readonly hasCapture: boolean }[];
}): boolean => replicas.every(({ hasCapture }) => !hasCapture);

/** Whether a capture has this screen. @param alone true for one without data-movement events */
export const hasTab = (alone: boolean, tab: CaptureTab): boolean => !alone || TABS_ALONE.includes(tab);

/** Props of every screen of an analyzed capture. The page draws app bar, replica strip and status bar around it. */
export interface OpenCapture {
  readonly source: CaptureSource;
  /** The summary, with the zone for its times. */
  readonly summary: ZonedSummary;
  /** Whether the visitor may change the capture: its name, its links, its notes. */
  readonly canChange: boolean;
  readonly view: View;
  /** `replace` while dragging (no history entry), `push` on a committed change (default). */
  readonly setView: SetView;
  /** Opens another screen with the same view, optionally changed. */
  readonly open: (tab: CaptureTab, change?: Partial<View>) => void;
  /** The screen that was open before this one; null where the page began with it. */
  readonly cameFrom?: CaptureTab | null;
  /** Reads the capture again after a change; absent where the capture is read-only. */
  readonly onChanged?: (() => void) | undefined;
  /** False where no file of the capture has evidence; absent where its files are unknown, as behind a link. */
  readonly hasEvidence?: boolean | undefined;
  /** Opens the dialog that adds evidence files; absent where the capture is read-only. */
  readonly addEvidence?: (() => void) | undefined;
  /** Left and right text of the status bar. */
  readonly setStatus: (left: ReactNode, right?: ReactNode) => void;
}

/** Provided by the page of a capture. */
export const CaptureContext = createContext<OpenCapture | null>(null);

/** The open capture. Only for components inside a page of a capture. */
export function useCapture(): OpenCapture {
  const capture = use(CaptureContext);
  if (capture === null) throw new Error("No capture is open around this component.");
  return capture;
}
