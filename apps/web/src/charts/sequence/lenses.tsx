/** The four lenses and their leader lines. */
import type { ReactNode } from "react";
import { shortNameOfEvent } from "@aglens/ag-model/events";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { BAR, type Frame } from "./frame.ts";
import { pictureRange } from "./layout.ts";
import { LensBox } from "./lens-box.tsx";
import { lensesOf, type Lens } from "./lens-events.ts";
import { LENS_HEAD, LENS_ROW, LENS_WIDTH, placedLenses } from "./lens-places.ts";
import { lensOffset, lensTitle } from "./lens-text.ts";
import styles from "./picture.module.css";

/** The same events as a list, for screens too narrow for the boxes. */
export function LensList({
  sequence,
  secondary,
  names,
}: Pick<Frame, "sequence" | "secondary" | "names">): ReactNode {
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const [origin] = pictureRange(sequence, hop);
  return (
    <div className={styles.lensList}>
      {lensesOf(sequence, secondary).map((lens) => (
        <section key={lens.key}>
          <h2>{lensTitle(lens, names)}</h2>
          <ol>
            {lens.events.map((event) => (
              <li key={`${event.file}:${event.offset}`}>
                <span>{shortNameOfEvent(event.name, event.mode)}</span>
                <span>{lensOffset((event.fire ?? lens.from) - origin)}</span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** Primary above its bars, secondary below the axis. Leaders are drawn under all boxes, so that none is crossed. */
export function Lenses(frame: Frame): ReactNode {
  const { names, range, even } = frame;
  const placed = (["primary", "secondary"] as const).flatMap((place, row) =>
    placedLenses(frame, place).map(({ lens, left }) => ({
      lens,
      left,
      row,
      top: row === 0 ? 8 : BAR.lens,
      height: LENS_HEAD + lens.events.length * LENS_ROW + 6,
    })),
  );
  return (
    <>
      {even ? null : placed.map((box) => <Leader key={box.lens.key} frame={frame} {...box} />)}
      {placed.map(({ lens, left, row, top, height }) => (
        <LensBox
          key={lens.key}
          lens={lens}
          title={texts.moreBelow(lensTitle(lens, names), lens.hidden)}
          x={left}
          y={top}
          height={height}
          origin={range[0]}
          place={row === 0 ? "p" : "s"}
        />
      ))}
    </>
  );
}

/** Two lines from a lens to the period that it magnifies. */
function Leader({
  frame: { x, range },
  lens,
  left,
  row,
  top,
  height,
}: {
  readonly frame: Frame;
  readonly lens: Lens;
  readonly left: number;
  readonly row: number;
  readonly top: number;
  readonly height: number;
}): ReactNode {
  const edge = row === 0 ? top + height : top;
  const target = row === 0 ? BAR.commits - 2 : BAR.axis - 8;
  const [from, to] = [x(Math.max(lens.from, range[0])), x(Math.min(lens.to, range[1]))];
  return (
    <path
      className={styles.leader}
      data-testid="leader"
      d={`M${left + 10},${edge} L${from},${target} M${left + LENS_WIDTH / 3},${edge} L${to},${target}`}
    />
  );
}
