/** The four lenses and their leader lines. */
import type { ReactNode } from "react";
import { durationText } from "../../ui/words.ts";
import { BAR, LEFT, RIGHT, type Frame } from "./frame.ts";
import { LENS_HEAD, LENS_ROW, LENS_WIDTH, LensBox, offsetText, shortName } from "./lens-box.tsx";
import { lensesOf, placeLenses, span, type Lens } from "./layout.ts";

const lensTitle = (lens: Lens, names: Frame["names"]): string => {
  const length = durationText(lens.to - lens.from);
  switch (lens.key) {
    case "send":
      return `First ${length} on ${names.primary}`;
    case "receive":
      return `${names.secondary} receives, ${length}`;
    case "acknowledge":
      return `${names.secondary} acknowledges, ${length}`;
    case "release":
      return `Last ${length} on ${names.primary}`;
  }
};

const ROWS = { primary: ["send", "release"], secondary: ["receive", "acknowledge"] } as const;

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

/** Primary above its bars, secondary below the axis. */
export function Lenses(frame: Frame): ReactNode {
  const { names, x, range, even } = frame;
  return (["primary", "secondary"] as const).map((place, row) =>
    placedLenses(frame, place).map(({ lens, left }) => {
      const top = row === 0 ? 8 : BAR.lens;
      const height = LENS_HEAD + lens.events.length * LENS_ROW + 6;
      const edge = row === 0 ? top + height : top;
      const target = row === 0 ? BAR.commits - 2 : BAR.axis - 8;
      const [from, to] = [x(Math.max(lens.from, range[0])), x(Math.min(lens.to, range[1]))];
      return (
        <g key={lens.key}>
          {even ? null : (
            <path
              className="leader"
              d={`M${left + 10},${edge} L${from},${target} M${left + LENS_WIDTH / 3},${edge} L${to},${target}`}
            />
          )}
          <LensBox
            lens={lens}
            title={`${lensTitle(lens, names)}${lens.hidden > 0 ? `, ${lens.hidden} more below` : ""}`}
            x={left}
            y={top}
            height={height}
            origin={range[0]}
            place={row === 0 ? "p" : "s"}
          />
        </g>
      );
    }),
  );
}
