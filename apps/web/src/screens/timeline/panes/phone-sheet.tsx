import { type PointerEvent, type ReactNode, useRef, useState } from "react";
import { REMOTE_STAGE_IDS, type StageId, stageLabel } from "@aglens/ag-model/replication";
import type { Sequence, Summary } from "@aglens/contract";
import { BlockBar } from "../../../charts/block-bar.tsx";
import type { ReplicaNames } from "../../../lanes/palette.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { PHONE, useMedia } from "../../../ui/use-media.ts";
import { durationText, rankText } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { inItsPhase } from "../../capture-view/phases.ts";
import { replicaNames } from "../../capture-view/names.ts";
import { BlockPane } from "./block-pane.tsx";
import { classWord } from "../lanes/block-tip.tsx";
import { pausedOfHop, stagesOfHop } from "../lanes/hop-bar.ts";
import { releaseText } from "./released-by.ts";
import { useTimelineSelection } from "../timeline-context.ts";
import styles from "./phone-sheet.module.css";
import { Term } from "../../../ui/term.tsx";
import type { TermId } from "../../../messages/terms.ts";

/** Whether the selected block is shown in a sheet over the lanes instead of in the pane. */
export function useSheet(): boolean {
  const isPhone = useMedia(PHONE);
  const { view } = useCapture();
  const { selection } = useTimelineSelection();
  return isPhone && view.block !== null && !selection.selectedRange;
}

/**
 * On a phone: the selected block over the lanes with its main figures; pulled up it shows all of its stages, pulled
 * down it closes.
 */
export function PhoneSheet(): ReactNode {
  return useSheet() ? <Sheet /> : null;
}

function Sheet(): ReactNode {
  const capture = useCapture();
  const { sequence } = useTimelineSelection();
  const [isOpen, setIsOpen] = useState(false);
  const pull = usePull({
    up: () => setIsOpen(true),
    down: () => (isOpen ? setIsOpen(false) : capture.setView({ block: null })),
  });
  const known = sequence.value && inItsPhase(capture.summary, sequence.value);
  return (
    <section className={styles.sheet} aria-label={texts.selectedBlock}>
      <div className={styles.head} {...pull.gesture}>
        <button
          type="button"
          className={styles.grip}
          aria-expanded={isOpen}
          aria-label={isOpen ? texts.fewerFigures : texts.allStages}
          onClick={() => pull.wasTap() && setIsOpen(!isOpen)}
        />
        {known === null ? <p>{texts.readingBlock}</p> : <Glance {...known} />}
      </div>
      {isOpen && (
        <div className={styles.rest}>
          <BlockPane />
        </div>
      )}
    </section>
  );
}

/** The longest stage, the path as a bar, and four figures. */
function Glance({
  sequence,
  summary,
}: {
  readonly sequence: Sequence;
  readonly summary: Summary;
}): ReactNode {
  const { secondary } = useCapture().view;
  const hop = sequence.hops.find((each) => each.secondary === secondary) ?? sequence.hops[0];
  if (hop === undefined) return <p>{texts.thisBlockWasSent}</p>;
  const names = replicaNames(summary, hop.secondary);
  const stages = stagesOfHop(hop);
  const longest = longestStage(sequence, hop);
  const stoodStill = longest?.isPaused === true;
  const word = longest && isLogWrite(longest.id) && !stoodStill ? classWord(longest.us, 0, true) : null;
  const harden = hop.remoteHarden ?? 0;
  const figures: readonly (readonly [TermId, string, string])[] = [
    ["remoteHarden", texts.remoteHardenPart, durationText(hop.remoteHarden)],
    ["networkRoundTrip", texts.roundTrip, durationText(stages["networkRoundTrip"])],
    ["localFlush", texts.logWrite(names.primary), durationText(stages["localFlush"])],
    ["releasedBy", texts.releasedBy, releaseText(summary, sequence.gate) ?? texts.notKnown],
  ];
  return (
    <>
      <p className={styles.lead}>
        <b>
          {longest === null
            ? sequence.lsn
            : stoodStill
              ? pauseText(longest, hop, names)
              : `${stageLabel(longest.id, names)} ${durationText(longest.us)}`}
        </b>
        <span>{stoodStill ? null : rankText(longest?.rank)}</span>
        {word === null ? null : <em data-bad={word === "bad"}>{word}</em>}
      </p>
      <BlockBar
        stages={stages}
        paused={pausedOfHop(hop)}
        scaleUs={Math.max(1, harden, stages["localFlush"] ?? 0)}
        height={12}
      />
      <dl className={styles.figures}>
        {figures.map(([term, label, value]) => (
          <div className="one-line" key={label}>
            <dt>
              <Term id={term}>{label}</Term>
            </dt>{" "}
            <dd className="ink strong">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const isLogWrite = (id: StageId): boolean => id === "localFlush" || id === "secondaryFlush";

interface LongestStage {
  readonly id: StageId;
  readonly us: number;
  readonly rank: number | null;
  /** A server was unresponsive for most of it, so it belongs to no stage. */
  readonly isPaused: boolean;
}

/** The unresponsive server and the duration. In a log write on the primary's own disk it can only be the primary. */
function pauseText(
  { id, us }: LongestStage,
  { pause }: Sequence["hops"][number],
  names: ReplicaNames,
): string {
  if (id === "localFlush") return texts.wasUnresponsive(names.primary, durationText(us));
  return texts.wasUnresponsive(
    pause === null ? texts.server : names[pause.end],
    durationText(pause?.us ?? us),
  );
}

/**
 * The stage that its commits waited for longest: the local log write where that released them, else the longest stage
 * of the path.
 */
function longestStage({ gate }: Sequence, hop: Sequence["hops"][number]): LongestStage | null {
  const wanted: readonly StageId[] = gate === 1 ? ["localFlush"] : REMOTE_STAGE_IDS;
  const known = hop.stages.flatMap(({ id, duration, rank, isPaused }) =>
    duration === null || !wanted.includes(id) ? [] : [{ id, us: duration, rank, isPaused }],
  );
  return known.toSorted((a, b) => b.us - a.us)[0] ?? null;
}

/** Distance from which a movement is a pull, px; less is a tap. */
const PULL_PX = 24;

interface Pull {
  readonly gesture: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
  };
  /** False for the click that a pull ends with. */
  readonly wasTap: () => boolean;
}

/** A finger that pulls up or down. */
function usePull({ up, down }: { readonly up: () => void; readonly down: () => void }): Pull {
  const begun = useRef<number | null>(null);
  const wasTap = useRef(true);
  return {
    gesture: {
      onPointerDown: (event) => {
        begun.current = event.clientY;
        wasTap.current = true;
        // Captures the pointer, so that the finger may leave the sheet while it pulls, and a tap still belongs to the
        // pressed element.
        if (event.target instanceof Element) event.target.setPointerCapture(event.pointerId);
      },
      onPointerUp: (event) => {
        const by = event.clientY - (begun.current ?? event.clientY);
        begun.current = null;
        wasTap.current = Math.abs(by) < PULL_PX;
        if (by <= -PULL_PX) up();
        else if (by >= PULL_PX) down();
      },
    },
    wasTap: () => {
      const was = wasTap.current;
      // The next click may come from a key.
      wasTap.current = true;
      return was;
    },
  };
}
