import { useMemo, type ReactNode } from "react";
import type { RangeStatistics, Sequence } from "@aglens/contract";
import type { Buffer } from "../../charts/timeline/spans.ts";
import { durationText } from "../../ui/words.ts";
import type { ScreenProps } from "../screen.ts";
import { BlockPane, RangePane } from "./pane.tsx";
import { twoRegimes } from "./regimes.ts";
import { useStatistics } from "./use-answers.ts";
import type { BlockSelection } from "./use-block-selection.ts";
import type { Range } from "./viewport.ts";

interface Props {
  readonly screen: ScreenProps;
  readonly selection: BlockSelection;
  readonly sequence: Sequence | Error | null;
  readonly range: Range;
  /** Of `range`. */
  readonly statistics: RangeStatistics | null;
  readonly buffer: Buffer | null;
}

/** Beside the lanes: the selected block, else the figures of the selected range or of what is in view. */
export function SidePane({ screen, selection, sequence, range, statistics, buffer }: Props): ReactNode {
  const { source, summary, view, open } = screen;
  const { selectedRange } = selection;
  const ofSelection = useStatistics(source, selectedRange);
  const told = selectedRange ? ofSelection : statistics;
  const [from, to] = selectedRange ?? range;
  const regimes = useMemo(
    () => (buffer?.blocks ? twoRegimes(buffer.blocks, summary, view.secondary, from, to) : null),
    [buffer, summary, view.secondary, from, to],
  );
  const about = {
    summary,
    secondary: view.secondary,
    names: {
      primary: summary.replicas[0]?.name ?? "Primary",
      secondary: summary.replicas[view.secondary + 1]?.name ?? "the secondary",
    },
  };
  return (
    <aside className="tl-pane" aria-label={view.block === null ? "What is in view" : "Selected block"}>
      {view.block !== null && !selectedRange ? (
        <BlockPane
          {...about}
          sequence={sequence}
          onOpen={() => open("sequence")}
          onSelect={selection.select}
        />
      ) : told ? (
        <RangePane
          {...about}
          statistics={told}
          regimes={regimes}
          isSelection={selectedRange !== null}
          onSlowest={() => selection.toSlow(1)}
          onZoom={selectedRange ? selection.fit : null}
        />
      ) : (
        <>
          <h2>{durationText(to - from)} in view</h2>
          <p className="tl-sub">Reading the figures of this stretch</p>
        </>
      )}
    </aside>
  );
}
