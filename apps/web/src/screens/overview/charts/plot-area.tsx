/** Parts around the drawing of every overview chart. */
import { type ReactNode, useId } from "react";
import type { Overview } from "@aglens/contract";
import { xOf } from "../../../charts/time-scale.ts";
import { durationText } from "../../../ui/words.ts";
import { useOverview } from "../overview-context.ts";
import type { DragToZoom } from "./use-drag-to-zoom.ts";
import { SwitchLines } from "./switch-lines.tsx";
import { MiddleEllipsis } from "../../../ui/middle-ellipsis.tsx";
import styles from "./charts.module.css";

/** Width left of the plots, for the labels of their scales. */
export const GUTTER_PX = 52;

/** One chart of the stack. */
export interface ChartBlockProps {
  readonly overview: Overview;
  /** Width of the plot, px. */
  readonly width: number;
  readonly height: number;
  readonly drag: DragToZoom;
  /** Shows figures in place of the drawing. */
  readonly asTables: boolean;
}

interface ChartHeadProps {
  readonly title: ReactNode;
  readonly legend?: ReactNode;
  readonly readout?: ReactNode;
  readonly children?: ReactNode;
}

export function ChartHead({ title, legend, readout, children }: ChartHeadProps): ReactNode {
  return (
    <header className={styles.chartHead} style={{ marginLeft: -GUTTER_PX }}>
      <h2>{title}</h2>
      {legend}
      {children && <span className={styles.chartTools}>{children}</span>}
      {readout}
    </header>
  );
}

interface PlotAreaProps extends Pick<ChartBlockProps, "width" | "drag"> {
  readonly name: string;
  readonly sentence: string;
  readonly children: ReactNode;
  /** Drawn over the cursor line. */
  readonly over?: ReactNode;
}

/** One plot: its name and description for screen readers, the cursor, and the drag that selects time. */
export function PlotArea({ drag, width, name, sentence, children, over }: PlotAreaProps): ReactNode {
  const id = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing, not a picture file
    <div className={styles.plotArea} role="img" aria-label={name} aria-describedby={id} {...drag.handlers}>
      {children}
      <SwitchLines width={width} />
      <Marks width={width} selection={drag.selection} />
      {over}
      <p id={id} className="sr-only">
        {sentence}
      </p>
    </div>
  );
}

/** The cursor line and the range that is being selected, the same in every plot. */
function Marks({ width, selection }: Pick<DragToZoom, "selection"> & { readonly width: number }): ReactNode {
  const { scale, cursor } = useOverview();
  const left = selection ? xOf({ ...scale, width }, selection[0]) : 0;
  return (
    <>
      {cursor !== null && cursor >= scale.from && cursor <= scale.to && (
        <div className={styles.cursor} style={{ left: xOf({ ...scale, width }, cursor) }} />
      )}
      {selection && (
        <div
          className={styles.selection}
          style={{ left, width: xOf({ ...scale, width }, selection[1]) - left }}
        >
          <span>{durationText(selection[1] - selection[0])}</span>
        </div>
      )}
    </>
  );
}

/** Why a plot is empty, or a note that its drawing needs; shows nothing without a text. */
export function PlotNote({ text }: { readonly text: string | null | undefined }): ReactNode {
  return text === null || text === undefined || text === "" ? null : (
    <p className={styles.plotNote}>
      <span>{text}</span>
    </p>
  );
}

/** Name in the gutter for one of several rows with one scale; it never covers bars. */
export const RowName = ({ children }: { readonly children: string }): ReactNode => (
  <b className={styles.rowName}>
    <MiddleEllipsis text={children} kept={3} />
  </b>
);

/** Labels of a plot's scale, each at a height of the plot, px. */
export function ScaleLabels({
  labels,
}: {
  readonly labels: readonly { readonly y: number; readonly text: string }[];
}): ReactNode {
  return (
    <div className={styles.gutter}>
      {labels.map(({ y, text }) => (
        <span key={text} style={{ top: y }}>
          {text}
        </span>
      ))}
    </div>
  );
}
