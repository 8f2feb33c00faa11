import { useLayoutEffect, useRef, type ReactNode } from "react";
import type { LaneBox } from "../../../charts/timeline/heights.ts";
import { xOf } from "../../../charts/time-scale.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import {
  gapText,
  isWithoutCommits,
  phaseIndex,
  phaseName,
  roomForPlates,
} from "../../capture-view/phases.ts";
import { durationText } from "../../../ui/words.ts";
import { happenedTexts } from "../../../messages/happened.ts";
import { type ShownSwitch, shownSwitches } from "../happened/shown-switches.ts";
import { plateName } from "./lane-plate.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import styles from "./switch-overlay.module.css";

/** Width that a plate needs, px. */
const PLATE_PX = 100;
/** Minimum width of a role change for its label, px. */
const WORDS_PX = 110;
/** Minimum height of a lane for a plate, px. */
const LEAST_LANE_PX = 44;

/**
 * Over the lanes, at each role change: the replica of a lane's role before and after it, and the time without commits.
 * It follows the view without a render.
 */
export function SwitchOverlay({
  boxes,
  width,
}: {
  readonly boxes: readonly LaneBox[];
  readonly width: number;
}): ReactNode {
  const { switches: changes, happened } = useTimelineData();
  const { summary } = useCapture();
  const switches = shownSwitches(changes, happened, summary);
  const { viewport } = useTimelineView();
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = (): void => {
      const [from, to] = viewport.get();
      const xAt = (us: number): number => xOf({ from, to, width }, us);
      const places = switches.map((change) => [xAt(change.from), xAt(change.to)] as const);
      for (const [i, element] of [...(root.current?.children ?? [])].entries())
        if (element instanceof HTMLElement) placeSwitch(element, places, i, width);
    };
    place();
    return viewport.subscribe(place);
  });
  if (switches.length === 0) return null;
  const tall = boxes.filter((box) => box.tall && box.height >= LEAST_LANE_PX);
  return (
    <div ref={root} className={styles.overlay}>
      {switches.map((change) => (
        <div key={change.after}>
          <GapText change={change} box={boxes.find((box) => box.tall)} />
          {tall.map((box) => (
            <Plates key={box.lane.key} change={change} box={box} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** @param places where the last commit before each switch ended and the first one after it, px */
function placeSwitch(
  element: HTMLElement,
  places: readonly (readonly [number, number])[],
  index: number,
  width: number,
): void {
  const [left, right] = places[index] ?? [0, 0];
  const room = roomForPlates(places, index, width, PLATE_PX);
  const [start, end] = [Math.max(0, left), Math.min(width, right)];
  element.style.setProperty("--from", `${left}px`);
  element.style.setProperty("--to", `${right}px`);
  element.style.setProperty("--gap-from", `${start}px`);
  element.style.setProperty("--gap-width", `${Math.max(0, end - start)}px`);
  element.dataset["before"] = String(room.before);
  element.dataset["after"] = String(room.after);
  element.dataset["gap"] = String(end - start >= WORDS_PX);
}

interface OfSwitch {
  readonly change: ShownSwitch;
  readonly box: LaneBox;
}

/** Duration without commits, in the first lane, and whether it is known for both servers. */
function GapText({ change, box }: Omit<OfSwitch, "box"> & { readonly box: LaneBox | undefined }): ReactNode {
  if (box === undefined) return null;
  return (
    <p className={styles.gap} style={{ top: box.top + 6 }}>
      <b>
        {change.isReported ? happenedTexts.noPrimary(durationText(change.to - change.from)) : gapText(change)}
      </b>
      {change.isReported ? null : (
        <span>{isWithoutCommits(change) ? texts.bothFilesCover : texts.someEvents}</span>
      )}
    </p>
  );
}

/** The names on both sides of a lane; a press shows that phase alone, a second one all again. */
function Plates({ change, box: { lane, top } }: OfSwitch): ReactNode {
  const { summary, view, setView } = useCapture();
  const chosen = phaseIndex(summary, view.phase);
  return [change.before, change.after].map((phase, side) => {
    const name = plateName(summary, phase, lane);
    const isAlone = chosen === phase;
    return name === null ? null : (
      <button
        key={phase}
        type="button"
        // The pane, and the filter of the strip, offer the same for the keyboard.
        tabIndex={-1}
        className={styles.plate}
        data-side={side === 0 ? "before" : "after"}
        data-place={lane.place}
        aria-pressed={isAlone}
        title={isAlone ? texts.showAllPhases : texts.alone(phaseName(summary, phase))}
        style={{ top: top + 6 }}
        onClick={() => setView({ phase: isAlone ? null : phase })}
      >
        {name}
      </button>
    );
  });
}
