import { type ReactNode, useState } from "react";
import type { RangeStatistics } from "@aglens/contract";
import { BlockBar } from "../../charts/block-bar.tsx";
import { useAnswer, WHEN_DRAGGED } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { type ReplicaNames, stageToken } from "../../lanes/palette.ts";
import { Button, Kbd, Segmented, Swatch, Value } from "../../ui/controls.tsx";
import { durationText, formatCount, formatDuration } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { countedWords } from "../counted-words.ts";
import { commitsWords, knownCommits } from "../known-commits.ts";
import { backedPercentiles } from "../percentiles.ts";
import { primaryMoved } from "../phase.ts";
import { ratePerSecond } from "../rate-per-second.ts";
import { unknownReleases } from "../release.ts";
import { useReplicaNames } from "../replica-names.ts";
import { StageLink } from "../stage-link.tsx";
import { meansOf } from "../stage-rows.ts";
import { factorWords, isLargeFactor, partsSentence, sideOf } from "./against.ts";
import { PartedPane } from "./phases-pane.tsx";
import { Reading } from "./reading.tsx";
import { Readout } from "./readout.tsx";
import { releasedBy, ROLES } from "./released-by.ts";
import { restStatistics } from "./rest-statistics.ts";
import { PANE_STAGES, paneStageWords } from "./stage-names.ts";
import { useTimeline } from "./timeline-context.ts";
import { useSelectionStatistics } from "./use-selection-statistics.ts";
import type { Range } from "./viewport.ts";
import laneFrame from "../lane-frame.module.css";
import styles from "./pane.module.css";

type Against = "view" | "capture";
type Percentile = "p50" | "p95" | "max";

/** The selected range; where roles or availability modes changed in it by phase, since nothing is compared across that. */
export function SelectionPane({ selected }: { readonly selected: Range }): ReactNode {
  const { parted } = useTimeline();
  if (parted === null) return <SelectionAgainst selected={selected} />;
  return (
    <>
      <PartedPane range={selected} parted={parted} where="selected" />
      <SelectionActions selected={selected} />
    </>
  );
}

/** The selected range against the rest of the view or of the capture. */
function SelectionAgainst({ selected }: { readonly selected: Range }): ReactNode {
  const { source, summary, view } = useCapture();
  const { range, duration } = useTimeline();
  const [against, setAgainst] = useState<Against>("view");
  const here = useSelectionStatistics();
  const whole: Range = against === "view" ? range : [0, duration];
  const asked = useAnswer(restStatistics(source, whole, selected, view.where), WHEN_DRAGGED);
  const statistics = here.value;
  const rest = asked.value?.statistics;
  return (
    <>
      <div className={styles.againstHead}>
        <h2>In selection</h2>
        <span>against</span>
        <Segmented
          label="Against"
          value={against}
          options={[
            { value: "view", label: "Rest of view" },
            { value: "capture", label: "of capture" },
          ]}
          onChange={setAgainst}
        />
      </div>
      <Problem sentence={here.error} onRetry={here.retry} />
      <Problem sentence={asked.error} onRetry={asked.retry} />
      {statistics === null ? (
        here.error === null ? (
          <Reading>Reading the figures of this stretch</Reading>
        ) : null
      ) : (
        <div className={styles.figures} aria-busy={here.isStale || asked.isStale}>
          <p className={laneFrame.sub}>
            {durationText(selected[1] - selected[0])}, {countedWords(statistics.blocks, "block")},{" "}
            {commitsWords(summary, statistics.commits)}
            {rest === undefined
              ? ""
              : `; rest ${formatCount(rest.blocks)} and ${formatCount(knownCommits(summary, rest.commits))}`}
          </p>
          {statistics.blocks === 0 ? (
            <p className={laneFrame.sub}>
              Percentiles need blocks. The values of the whole capture stay in the overview.
            </p>
          ) : (
            <Figures selected={statistics} rest={rest ?? null} restUs={asked.value?.us ?? 0} />
          )}
        </div>
      )}
      <SelectionActions selected={selected} />
    </>
  );
}

interface Both {
  readonly selected: RangeStatistics;
  /** null until it is there. */
  readonly rest: RangeStatistics | null;
}

function Figures({ selected, rest, restUs }: Both & { readonly restUs: number }): ReactNode {
  const { summary, view } = useCapture();
  const given = useReplicaNames();
  const names = primaryMoved(summary) ? ROLES : given;
  const sentence = partsSentence(
    sideOf(selected, view.secondary),
    sideOf(rest, view.secondary),
    names,
    summary,
  );
  return (
    <>
      <CommitsOfBoth selected={selected} rest={rest} />
      {sentence === null ? null : (
        <p className={styles.note} data-bad="true">
          <b>{sentence.here}</b> {sentence.there}
        </p>
      )}
      <MeanBars selected={selected} rest={rest} />
      <StagesOfBoth selected={selected} rest={rest} names={names} />
      <FactsOfBoth selected={selected} rest={rest} restUs={restUs} />
    </>
  );
}

function CommitsOfBoth({ selected, rest }: Both): ReactNode {
  const here = backedPercentiles(selected.commitLatency);
  const there = rest && backedPercentiles(rest.commitLatency);
  const shown = selected.commitLatency.n === 1 ? (["max"] as const) : (["p50", "p95", "max"] as const);
  return (
    <div className={styles.readouts} data-columns={3}>
      {shown.map((k) => (
        <Readout key={k} label={k === "max" && shown.length === 1 ? "commit" : `commit ${k}`}>
          <Value figure={formatDuration(here[k])} strong />
          <span>rest {durationText(there?.[k])}</span>
        </Readout>
      ))}
    </div>
  );
}

/** Mean remote harden of both on one scale. */
function MeanBars({ selected, rest }: Both): ReactNode {
  const { view } = useCapture();
  const rows = [
    { name: "Selection", ...sideOf(selected, view.secondary) },
    { name: "Rest", ...sideOf(rest, view.secondary) },
  ].flatMap(({ name, stages, paused }) => {
    const mean = stages?.remoteHarden?.mean ?? null;
    return mean === null ? [] : [{ name, mean, bar: meansOf(stages), paused }];
  });
  const scaleUs = Math.max(...rows.map(({ mean }) => mean));
  return rows.map(({ name, mean, bar, paused }) => (
    <div key={name} className={styles.regime}>
      <div>
        <span>{name}, mean remote harden</span>
        <Value figure={formatDuration(mean)} strong />
      </div>
      <BlockBar
        stages={bar}
        paused={paused}
        scaleUs={scaleUs}
        height={10}
        label={`${name}: mean remote harden ${durationText(mean)}`}
      />
    </div>
  ));
}

function StagesOfBoth({ selected, rest, names }: Both & { readonly names: ReplicaNames }): ReactNode {
  const { view } = useCapture();
  const [percentile, setPercentile] = useState<Percentile>("p50");
  const [here, there] = [selected.stages[view.secondary], rest?.stages[view.secondary]];
  const figureOf = (figures: RangeStatistics["commitLatency"] | undefined): number | null => {
    if (figures === undefined || figures.n === 0) return null;
    // One value is no percentile of others, but it is what there is.
    return figures.n === 1 ? figures.max : backedPercentiles(figures)[percentile];
  };
  return (
    <>
      <Segmented
        label="Figure of stages"
        value={percentile}
        options={(["p50", "p95", "max"] as const).map((value) => ({ value, label: value }))}
        onChange={setPercentile}
      />
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Stage, {percentile}</th>
            <th scope="col">Selection</th>
            <th scope="col">Rest</th>
            <th scope="col">Factor</th>
          </tr>
        </thead>
        <tbody>
          {PANE_STAGES.filter((id) => (here?.[id]?.n ?? 0) > 0).map((id) => {
            const [mine, other] = [figureOf(here?.[id]), figureOf(there?.[id])];
            return (
              <tr key={id}>
                <th scope="row">
                  <Swatch color={`var(${stageToken(id)})`} />{" "}
                  <StageLink stage={id}>{paneStageWords(id, names)}</StageLink>
                </th>
                <td>
                  <Value figure={formatDuration(mine)} />
                </td>
                <td>
                  <Value figure={formatDuration(other)} />
                </td>
                <td data-large={isLargeFactor(mine, other)}>{factorWords(mine, other)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function FactsOfBoth({ selected, rest, restUs }: Both & { readonly restUs: number }): ReactNode {
  const { summary, view } = useCapture();
  const rate = ratePerSecond(selected.blocks, selected.to - selected.from);
  const unreleased = unknownReleases(selected.commits, selected.gates);
  const restRate = rest && ratePerSecond(rest.blocks, restUs);
  return (
    <dl className={styles.facts}>
      {selected.gates.map((n, gate) =>
        n === 0 ? null : (
          <div key={gate}>
            <dt>{releasedBy(summary, gate)}</dt>
            <dd>
              {formatCount(n)} of {formatCount(selected.commits)}
              {rest === null ? "" : `, rest ${formatCount(rest.gates[gate])} of ${formatCount(rest.commits)}`}
            </dd>
          </div>
        ),
      )}
      {unreleased === 0 ? null : (
        <div>
          <dt>Release not known</dt>
          <dd>
            {formatCount(unreleased)} of {formatCount(selected.commits)}
          </dd>
        </div>
      )}
      {rate === null || view.where !== null ? null : (
        <div>
          <dt>Log blocks per second</dt>
          <dd>
            {rate}
            {restRate === null ? "" : `, rest ${restRate}`}
          </dd>
        </div>
      )}
    </dl>
  );
}

function SelectionActions({ selected }: { readonly selected: Range }): ReactNode {
  const { open } = useCapture();
  const { selection } = useTimeline();
  return (
    <div className={styles.actions}>
      <Button kind="primary" onClick={selection.fit}>
        Zoom <Kbd>f</Kbd>
      </Button>
      <Button onClick={() => selection.toSlow(1)}>
        Slowest <Kbd>n</Kbd>
      </Button>
      <Button onClick={() => open("compare", { sideA: selected, sideB: null })}>Compare</Button>
    </div>
  );
}
