import type { ReactNode } from "react";
import type { Distribution, Histogram } from "@aglens/contract";
import { Card, Swatch, Value } from "../../ui/controls.tsx";
import { formatCount, formatDuration, formatPercent, unbroken } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { FLUSH_CLASSES } from "../flush-classes.ts";
import { useRoleNames } from "../replica-names.ts";
import { shapeSentences } from "./distribution-words.ts";
import { stageColour, stageName } from "../distribution-stages.ts";
import styles from "./distribution.module.css";

const PERCENTILES = ["p50", "p95", "p99", "max"] as const;

/** Percentiles of every stage, log writes by class, and what the shapes show. */
export function FiguresCard({ value }: { readonly value: Distribution }): ReactNode {
  return (
    <Card className={styles.figures}>
      <Percentiles value={value} />
      <WriteClasses value={value} />
      <Shapes value={value} />
    </Card>
  );
}

function Percentiles({ value }: { readonly value: Distribution }): ReactNode {
  const { view, setView } = useCapture();
  const names = useRoleNames();
  return (
    <>
      <h2>Percentiles</h2>
      <table className={`${styles.percentiles} figure-table`} aria-label="Percentiles">
        <thead>
          <tr>
            <th scope="col">Stage</th>
            {PERCENTILES.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {value.rows.map(({ stage, ranges }) =>
            ranges.map((range, i) => (
              <tr
                key={`${stage} ${i === 0 ? "first" : "second"}`}
                data-second={i > 0}
                data-chosen={stage === view.stage}
              >
                <th scope="row">
                  {i === 0 ? (
                    <button
                      type="button"
                      className={styles.link}
                      onClick={() => setView({ stage }, "replace")}
                    >
                      <Swatch color={`var(${stageColour(stage)})`} /> {stageName(stage, names)}
                    </button>
                  ) : (
                    <span className={styles.secondName}>second range, {formatCount(range.n)}</span>
                  )}
                </th>
                {PERCENTILES.map((name) => (
                  <td key={name}>
                    <Value figure={formatDuration(range[name])} />
                  </td>
                ))}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </>
  );
}

function WriteClasses({ value }: { readonly value: Distribution }): ReactNode {
  const names = useRoleNames();
  const writes = value.rows.flatMap(({ stage, ranges }) =>
    ranges.flatMap((range, i) =>
      range.classes === null || range.n === 0 ? [] : [{ stage, range, isSecond: i > 0 }],
    ),
  );
  if (writes.length === 0) return null;
  return (
    <>
      <h2>Log writes by class</h2>
      <table className={`${styles.classes} figure-table`} aria-label="Log writes by class">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Replica</span>
            </th>
            {FLUSH_CLASSES.map(({ key, label }) => (
              <th scope="col" key={key}>
                {key}
                <small>{label}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {writes.map(({ stage, range, isSecond }) => (
            <tr key={`${stage} ${isSecond}`} data-second={isSecond}>
              <th scope="row">
                {isSecond ? "second range" : stage === "localFlush" ? names.primary : names.secondary}
              </th>
              {FLUSH_CLASSES.map(({ key: name }) => (
                <td
                  key={name}
                  className={name === "bad" && range.classes![name] > 0 ? styles.bad : undefined}
                >
                  <ClassCount range={range} name={name} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function ClassCount({
  range,
  name,
}: {
  readonly range: Histogram;
  readonly name: (typeof FLUSH_CLASSES)[number]["key"];
}): ReactNode {
  const count = range.classes![name];
  return (
    <>
      {formatCount(count)} <small>{formatPercent(count / range.n, 1)}</small>
    </>
  );
}

function Shapes({ value }: { readonly value: Distribution }): ReactNode {
  const names = useRoleNames();
  const sentences = shapeSentences(value, names);
  return (
    <>
      <h2>What the shapes say</h2>
      {sentences.map((sentence) => (
        <p key={sentence}>{unbroken(sentence)}</p>
      ))}
      {sentences.length > 0 ? (
        <p>
          Two humps are two states: such a stage is slow at times, not always. The picture over time shows
          when.
        </p>
      ) : (
        <p>
          {value.scale === "log"
            ? "No stage has two humps: each gathers around one duration."
            : "Humps are looked for on the logarithmic scale."}
        </p>
      )}
      <p>
        A bar&apos;s height is the square root of its share, so that a single outlier stays visible. Edges of
        bins belong to the bin above them.
      </p>
    </>
  );
}
