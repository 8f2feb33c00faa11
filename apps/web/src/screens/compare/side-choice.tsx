import type { ReactNode } from "react";
import { newestCaptures } from "../../data/captures-client.ts";
import { isLocalId } from "../../data/local-server.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { compareTexts as texts } from "../../messages/compare.ts";
import type { Summary } from "@aglens/contract";
import { phaseIndex } from "../capture-view/phases.ts";
import { replicaNames } from "../capture-view/names.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { type Range, sameRange } from "../capture-view/shown-range.ts";
import { namedRanges, type NamedRange, rangeText } from "./first-sides.ts";
import type { ChosenSide } from "./use-comparison.ts";
import styles from "./compare.module.css";

interface Props {
  readonly name: "A" | "B";
  readonly chosen: ChosenSide;
}

/** Selects the capture and the range of one side. */
export function SideChoice({ name, chosen }: Props): ReactNode {
  const { view, setView } = useCapture();
  const { summary, range } = chosen;
  const isOther = name === "B" && view.versus !== null;
  const ranges =
    summary === null
      ? []
      : isOther
        ? namedRanges(summary, view.secondary, null)
        : namedRanges(summary, view.secondary, view.range, phaseIndex(summary, view.phase));
  const choose = (next: Range): void => setView(name === "A" ? { sideA: next } : { sideB: next });
  return (
    <section className={styles.side} data-side={name} aria-label={texts.side(name)}>
      <h3>{name === "A" ? texts.outline : texts.bFilled}</h3>
      {name === "A" ? <p className={styles.captureName}>{texts.thisCapture}</p> : <CaptureChoice />}
      {summary === null || range === null ? null : (
        <>
          <RangeChoice name={name} ranges={ranges} range={range} onChoose={choose} />
          <p className={styles.rangeWords}>{rangeText(summary, range)}</p>
          {isOther ? <p className={styles.rangeWords}>{pathText(summary, view.secondary)}</p> : null}
        </>
      )}
    </section>
  );
}

/** `SQL1 to SQL2`: path of the figures of another capture. */
function pathText(summary: Summary, secondary: number): string {
  const slot = Math.min(secondary, Math.max(0, summary.stages.length - 1));
  const names = replicaNames(summary, slot);
  return `${names.primary} to ${names.secondary}`;
}

function RangeChoice({
  name,
  ranges,
  range,
  onChoose,
}: {
  readonly name: string;
  readonly ranges: readonly NamedRange[];
  readonly range: Range;
  readonly onChoose: (range: Range) => void;
}): ReactNode {
  const at = ranges.findIndex((each) => sameRange(each.range, range));
  return (
    <select
      aria-label={texts.rangeOf(name)}
      value={at}
      onChange={({ target }) => {
        const next = ranges[Number(target.value)];
        if (next !== undefined) onChoose(next.range);
      }}
    >
      {at < 0 ? <option value={-1}>{texts.asChosen}</option> : null}
      {ranges.map(({ label }, i) => (
        <option key={label} value={i}>
          {label}
        </option>
      ))}
    </select>
  );
}

const MOST_CAPTURES = 100;

/** This capture or another one of the server; absent behind a link, where there is no choice. */
function CaptureChoice(): ReactNode {
  const { source, summary, view, setView } = useCapture();
  const hasOthers = source.beside(summary.captureId) !== null;
  const { value } = useAnswer(
    hasOthers ? newestCaptures(MOST_CAPTURES, isLocalId(source.id) ? "browser" : "server") : null,
  );
  if (!hasOthers) return <p className={styles.captureName}>{texts.thisCapture}</p>;
  const others = (value?.captures ?? []).filter(
    ({ id, state }) => state === "ready" && id !== summary.captureId,
  );
  const isListed = view.versus === null || others.some(({ id }) => id === view.versus);
  return (
    <select
      aria-label={texts.captureOfB}
      value={view.versus ?? ""}
      onChange={({ target }) =>
        setView({ versus: target.value === "" ? null : target.value, sideA: null, sideB: null })
      }
    >
      <option value="">{texts.thisCapture}</option>
      {isListed || view.versus === null ? null : <option value={view.versus}>{texts.anotherCapture}</option>}
      {others.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
