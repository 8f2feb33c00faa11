import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import type { Level } from "../../charts/timeline/layout.ts";
import type { Measuring } from "./use-rulers.ts";
import { KeyHint } from "../../frame/key-hint.tsx";
import { happenedTexts } from "../../messages/happened.ts";
import { timelineTexts as texts } from "../../messages/timeline.ts";
import type { View } from "../../state/view.ts";
import { durationText } from "../../ui/words.ts";

const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  0: texts.medianAndMaximumPer,
  1: texts.everyBlockDrawnTallest,
  2: texts.oneBarPerBlock,
  3: texts.oneBarPerBlockWithItsEvents,
};

/** The range in view, and the four most important keys there; `?` shows all. */
export function StatusLeft({
  span,
  blocks,
  level,
  gates,
  measuring,
  others,
  hasSwitch,
  hasEvents = false,
  hasHappened = hasEvents,
  alone = false,
}: {
  span: number;
  blocks: number | null;
  /** null before the lanes are drawn. */
  level: Level | null;
  gates: boolean;
  measuring: Measuring | null;
  /** Effect of the filter on other blocks; null without a filter. */
  others: View["others"] | null;
  /** A server took over from another one. */
  hasSwitch: boolean;
  /** Keys go through the events of evidence files. */
  hasEvents?: boolean;
  /** A key shows or hides these events. */
  hasHappened?: boolean;
  /** The capture has no log blocks. */
  alone?: boolean;
}): ReactNode {
  if (measuring !== null)
    return (
      <>
        {measuringText(measuring)}
        <KeyHint keys={["Alt"]}>{texts.offTheEdges}</KeyHint>
        <KeyHint keys={["Esc"]}>{texts.end}</KeyHint>
      </>
    );
  // Pending figures would move the key hints.
  if (blocks === null || level === null) return texts.inView(durationText(span));
  if (others !== null)
    return (
      <>
        {texts.inViewHitOthers(durationText(span), blocks, others === "dim")}
        <KeyHint keys={["n", "p"]}>{texts.nextPreviousHit}</KeyHint>
        <KeyHint keys={["Enter"]}>{texts.sequencePart}</KeyHint>
        <KeyHint keys={["f"]}>{texts.fitHits}</KeyHint>
        <KeyHint keys={["/"]}>{texts.filter}</KeyHint>
      </>
    );
  return (
    <>
      {alone
        ? texts.inView(durationText(span))
        : texts.inViewBlockCommits(
            durationText(span),
            blocks,
            gates ? texts.commitsColoredByWhat : LEVEL_WORDS[level],
          )}
      <KeyHint keys={["W", "S"]}>{texts.zoom}</KeyHint>
      <KeyHint keys={["A", "D"]}>{texts.pan}</KeyHint>
      <KeyHint keys={["n", "p"]}>
        {hasEvents ? happenedTexts.nextPreviousEvent : texts.nextPreviousSlowBlock}
      </KeyHint>
      {hasHappened && <KeyHint keys={["v"]}>{happenedTexts.lanes}</KeyHint>}
      {hasEvents ? null : hasSwitch ? (
        <KeyHint keys={["."]}>{texts.changeOfRoles}</KeyHint>
      ) : (
        <KeyHint keys={["f"]}>{texts.fitPart}</KeyHint>
      )}
    </>
  );
}

/** The next end that the user places for a ruler. */
export const measuringText = ({ first }: Measuring): string =>
  first === null ? texts.rulerChooseWhere : texts.rulerChooseWhereIt;

/** The clock of the lanes, and the figures that do not change while a secondary is moved by its uncertainty. */
export function clockText(
  clock: "aligned" | "raw",
  preview: ReadonlyMap<number, number>,
  summary: Summary,
): string {
  if (clock === "raw") return texts.rawUtcSecondaryInstants;
  const [moved] = preview;
  if (moved === undefined) return alignedText(summary);
  const [secondary, us] = moved;
  const name = summary.replicas[secondary + 1]?.name ?? texts.secondary;
  return texts.asItsClockAllows(name, durationText(Math.abs(us)), us);
}

/** Bars of a server whose clock cannot be aligned are at their UTC, which shows no order of events. */
function alignedText(summary: Summary): string {
  const clock = texts.sClock(referenceName(summary));
  const astray = summary.clocks
    .filter(({ status }) => status === "cannotAlign")
    .map(({ secondary }) => summary.replicas[secondary + 1]?.name ?? texts.secondaryPart);
  return astray.length === 0 ? texts.timesOn(clock) : texts.notOnPlaced(astray.join(", "), clock);
}

/** "The primary" is only one server while roles do not change. */
const referenceName = ({ phases, replicas }: Summary): string =>
  (phases.length > 1 && replicas[0]?.name) || texts.primary;
