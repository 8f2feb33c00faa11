import type { ReactNode } from "react";
import { isWritePart } from "@aglens/ag-model/replication";
import { DistributionStage, type Distribution, type Summary } from "@aglens/contract";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { Button, Segmented } from "../../ui/controls.tsx";
import { formatOffset } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { namesOfSlots, phaseIndex } from "../capture-view/phases.ts";
import { useRoleNames } from "../capture-view/names.ts";
import { comparableRanges, type ComparableRange } from "./comparable-ranges.ts";
import { sameRange, shownRange } from "../capture-view/shown-range.ts";
import { TimeChoice } from "../capture-view/time-choice.tsx";
import { distributionStageName } from "../capture-view/stage-means.ts";
import styles from "./distribution.module.css";

interface Props {
  readonly value: Distribution;
  readonly asTable: boolean;
  readonly onTable: () => void;
}

/** Choices of stage, range, second range, replica, database and scale for the histograms. */
export function DistributionChoices({ value, asTable, onTable }: Props): ReactNode {
  const { view, setView } = useCapture();
  return (
    <header className={styles.head}>
      <h2>{texts.durationPerStage}</h2>
      <span className="quiet text-small">{value.scale === "log" ? texts.logTime : texts.linearTime}</span>
      <div className={styles.choices}>
        <StageChoice value={value} />
        <Replica />
        <Segmented
          label={texts.scaleOfDurations}
          value={view.axis}
          options={[
            { value: "log", label: texts.log },
            { value: "linear", label: texts.linear },
          ]}
          onChange={(axis) => setView({ axis })}
        />
        <TimeChoice followsZoom />
        <SecondRange />
        <Button aria-pressed={asTable} onClick={onTable}>
          {asTable ? texts.showAsCharts : texts.showAsTable}
        </Button>
      </div>
    </header>
  );
}

/** Parts of log writes are offered where the answer has them. */
const isOffered =
  ({ rows }: Distribution) =>
  (id: DistributionStage): boolean =>
    !isWritePart(id) || rows.some(({ stage }) => stage === id);

function StageChoice({ value }: Pick<Props, "value">): ReactNode {
  const { view, setView } = useCapture();
  const names = useRoleNames();
  return (
    <label>
      <span className="sr-only">{texts.stage}</span>
      <select
        value={view.stage}
        onChange={({ target }) => setView({ stage: DistributionStage.parse(target.value) })}
      >
        {DistributionStage.options.filter(isOffered(value)).map((id) => (
          <option key={id} value={id}>
            {distributionStageName(id, names)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Replica(): ReactNode {
  const { summary, view, setView } = useCapture();
  const secondaries = namesOfSlots(summary, phaseIndex(summary, view.phase)).slice(1);
  if (secondaries.length < 2) return null;
  return (
    <Segmented
      label={texts.secondary}
      value={String(view.secondary)}
      options={secondaries.map((label, slot) => ({ value: String(slot), label }))}
      onChange={(slot) => setView({ secondary: Number(slot) })}
    />
  );
}

const rangeText = (summary: Summary, [from, to]: readonly [number, number]): string =>
  `${formatOffset(summary, from, 100_000)} to ${formatOffset(summary, to, 100_000)}`;

const NONE = "none";
const KEEP = "keep";
const OTHER = "other";

/**
 * A second range to draw over the first: one of the capture's own ranges, or the current range in view, which is kept
 * when the view moves.
 */
function SecondRange(): ReactNode {
  const { summary, view, setView } = useCapture();
  const ranges = comparableRanges(summary, view.secondary, shownRange(view, summary));
  const chosen = ranges.findIndex(({ range }) => sameRange(range, view.other));
  const set = (value: string): void => {
    if (value === NONE) setView({ other: null });
    else if (value === KEEP) setView({ other: view.range });
    else if (value !== OTHER) setView({ other: ranges[Number(value)]?.range ?? null });
  };
  return (
    <label className="gap-6 muted text-ui inline-row">
      {texts.outline}
      <select
        value={view.other === null ? NONE : chosen < 0 ? OTHER : String(chosen)}
        onChange={({ target }) => set(target.value)}
      >
        <option value={NONE}>{texts.noSecondRange}</option>
        {ranges.map(({ label }: ComparableRange, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
        {view.other !== null && chosen < 0 ? (
          <option value={OTHER}>{rangeText(summary, view.other)}</option>
        ) : null}
        {view.range === null ? null : <option value={KEEP}>{texts.rangeInViewKept}</option>}
      </select>
    </label>
  );
}
