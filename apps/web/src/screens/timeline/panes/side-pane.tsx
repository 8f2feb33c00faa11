import { type ReactNode, useState } from "react";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { NoteList } from "../../../notes/note-list.tsx";
import { Button } from "../../../ui/controls.tsx";
import { PANE_BELOW, useMedia } from "../../../ui/use-media.ts";
import { isAlone, useCapture } from "../../capture-view/capture-context.ts";
import { BlockPane } from "./block-pane.tsx";
import { BlocksPane } from "./blocks-pane.tsx";
import { HappenedPane, happenedTitle } from "../happened/happened-pane.tsx";
import { happenedTexts } from "../../../messages/happened.ts";
import { HitPane } from "./hit-pane.tsx";
import { IsolatedPane } from "./isolated-pane.tsx";
import { useSheet } from "./phone-sheet.tsx";
import { RangePane } from "./range-pane.tsx";
import { RulerList } from "./ruler-list.tsx";
import { selectedRows } from "./selected-rows.ts";
import { SelectionPane } from "./selection-pane.tsx";
import { useTimelineData, useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./pane.module.css";

/**
 * Pane next to the lanes: the selected block, else the figures of the selected range or of the view. Under the lanes it
 * is one line until the user opens it. A list of hits, of blocks or of an isolated stage is open at first, because the
 * user requested it.
 */
export function SidePane(): ReactNode {
  const { summary, view } = useCapture();
  const { statistics, parted, isolated, happened } = useTimelineData();
  const { range } = useTimelineView();
  const { selection, events, hits, notes, openNote, beginNote } = useTimelineSelection();
  const { selectedRange } = selection;
  // A selected hit stays a row of the list; another block is shown in its own pane.
  const isListed = view.block === null || hits.position >= 0;
  const showsHits = view.where !== null && isListed && !selectedRange;
  const isInSheet = useSheet();
  const showsSeveral = selectedRows(view).length > 1 && !selectedRange;
  const showsBlock = view.block !== null && !selectedRange && !isInSheet;
  const happenedLabel = happened === null ? "" : happenedTitle(happened.answer);
  const isBelow = useMedia(PANE_BELOW);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (showsHits || showsSeveral || isolated.length > 0);
  return (
    <aside
      className={`${laneFrame.pane} ${styles.side}`}
      data-folded={isBelow && !isOpen}
      aria-label={
        showsSeveral
          ? texts.selectedBlocks
          : showsHits
            ? texts.hits
            : events.isActive
              ? happenedLabel
              : paneLabel(showsBlock, selectedRange !== null)
      }
    >
      {isBelow && (
        <Button
          kind="quiet"
          className={styles.unfold}
          aria-expanded={isOpen}
          onClick={() => setChosen(!isOpen)}
        >
          {showsHits
            ? texts.hits
            : showsSeveral
              ? texts.blocksLabel
              : events.isActive
                ? happenedTexts.whatHappened
                : texts.stages}
        </Button>
      )}
      {showsSeveral ? (
        <BlocksPane />
      ) : showsHits ? (
        <HitPane />
      ) : showsBlock ? (
        <BlockPane />
      ) : selectedRange ? (
        <SelectionPane selected={selectedRange} />
      ) : events.isActive || isAlone(summary) ? (
        <HappenedPane />
      ) : isolated.length > 0 && parted === null ? (
        <IsolatedPane answer={statistics} range={range} />
      ) : (
        <RangePane answer={statistics} range={range} />
      )}
      <RulerList />
      <NoteList notes={notes} onOpen={openNote} onWrite={beginNote} />
    </aside>
  );
}

function paneLabel(showsBlock: boolean, isSelection: boolean): string {
  if (showsBlock) return texts.selectedBlock;
  return isSelection ? texts.inSelection : texts.inViewLabel;
}
