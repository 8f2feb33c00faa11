/** The four lenses and their leader lines. */
import type { ReactNode } from "react";
import { durationText } from "../../ui/words.ts";
import { BAR, LEFT, RIGHT, type Frame } from "./frame.ts";
import { LENS_HEAD, LENS_ROW, LENS_WIDTH, LensBox, offsetText, shortName } from "./lens-box.tsx";
import { placeLenses, span } from "./layout.ts";
import { lensesOf, type Lens } from "./lens-events.ts";

const lensTitle = (lens: Lens, names: Frame["names"]): string => {
  const length = durationText(lens.length);
  switch (lens.key) {
    case "send":
      return `First ${length} on ${names.primary}`;
    case "receive":
      return `${names.secondary} receives, ${length}`;
    case "acknowledge":
      return `${names.secondary} acknowledges, ${length}`;
    case "release":
      return `Last ${length} on ${names.primary}`;
    case "ack":
      return `${names.primary} takes the ack of ${names.secondary}, ${length}`;
  }
};

const ROWS = { primary: ["send", "release", "ack"], secondary: ["receive", "acknowledge"] } as const;

/** Lenses of one replica with the left edge of each box, px, from left to right. */
export function placedLenses(
  { sequence, secondary, x, range, width, lenses }: Frame,
  place: keyof typeof ROWS,
): readonly { readonly lens: Lens; readonly left: number }[] {
  if (!lenses) return [];
  const keys: readonly Lens["key"][] = ROWS[place];
  const shown = lensesOf(sequence, secondary).filter((lens) => keys.includes(lens.key));
  const centres = shown.map(
    (lens) => (x(Math.max(lens.from, range[0])) + x(Math.min(lens.to, range[1]))) / 2,
  );
  const lefts = placeLenses(centres, LENS_WIDTH, LEFT - 4, width - RIGHT + 10);
  return shown.map((lens, i) => ({ lens, left: lefts[i] }));
}

/** The same events as a list, for screens too narrow for the boxes. */
export function LensList({
  sequence,
  secondary,
  names,
}: Pick<Frame, "sequence" | "secondary" | "names">): ReactNode {
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const [origin] = span(sequence, hop);
  return (
    <div className="lens-list">
      {lensesOf(sequence, secondary).map((lens) => (
        <section key={lens.key}>
          <h3>{lensTitle(lens, names)}</h3>
          <ol>
            {lens.events.map((event) => (
              <li key={`${event.file}:${event.offset}`}>
                <span>{shortName(event.name, event.mode)}</span>
                <span>{offsetText((event.fire ?? lens.from) - origin)}</span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** Primary above its bars, secondary below the axis. Leaders lie under all boxes, so that none is crossed. */
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
          title={`${lensTitle(lens, names)}${lens.hidden > 0 ? `, ${lens.hidden} more below` : ""}`}
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

/** Two lines from a lens to the stretch that it magnifies. */
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
      className="leader"
      d={`M${left + 10},${edge} L${from},${target} M${left + LENS_WIDTH / 3},${edge} L${to},${target}`}
    />
  );
}
