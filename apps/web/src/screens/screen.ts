import type { Summary } from "@aglens/contract";
import type { CaptureSource } from "../data/capture-source.ts";
import type { View } from "../state/view.ts";

/** What every screen of an analysed capture gets. The frame draws app bar, replica strip and status bar around it. */
export interface ScreenProps {
  readonly source: CaptureSource;
  readonly summary: Summary;
  readonly view: View;
  /** `replace` while dragging (no history entry), `push` on a committed change (default). */
  readonly setView: (change: Partial<View>, history?: "push" | "replace") => void;
  /** Opens another screen with the same view, optionally changed. */
  readonly open: (screen: "overview" | "timeline" | "sequence", change?: Partial<View>) => void;
  /** Left and right text of the status bar. */
  readonly setStatus: (left: React.ReactNode, right?: React.ReactNode) => void;
}
