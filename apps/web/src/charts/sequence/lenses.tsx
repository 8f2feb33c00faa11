/** The four lenses and their leader lines. */
import type { ReactNode } from "react";
import { durationText } from "../../ui/words.ts";
import { BAR, LEFT, RIGHT, type Frame } from "./frame.ts";
import { LENS_HEAD, LENS_ROW, LENS_WIDTH, LensBox } from "./lens-box.tsx";
import { lensesOf, placeLenses, type Lens } from "./layout.ts";

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

/** Primary above its bars, secondary below the axis. */
export function Lenses({ sequence, secondary, names, x, range, width, even }: Frame): ReactNode {
  const lenses = lensesOf(sequence, secondary);
  const rows: readonly (readonly Lens["key"][])[] = [
    ["send", "release"],
    ["receive", "acknowledge"],
  ];
  return rows.map((keys, row) => {
    const shown = lenses.filter((lens) => keys.includes(lens.key));
    const centre = (lens: Lens): number =>
      (x(Math.max(lens.from, range[0])) + x(Math.min(lens.to, range[1]))) / 2;
    const left = placeLenses(shown.map(centre), LENS_WIDTH, LEFT - 4, width - RIGHT + 10);
    return shown.map((lens, i) => {
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
              d={`M${left[i] + 10},${edge} L${from},${target} M${left[i] + LENS_WIDTH / 3},${edge} L${to},${target}`}
            />
          )}
          <LensBox
            lens={lens}
            title={`${lensTitle(lens, names)}${lens.hidden > 0 ? `, ${lens.hidden} more below` : ""}`}
            x={left[i]}
            y={top}
            height={height}
            origin={range[0]}
            place={row === 0 ? "p" : "s"}
          />
        </g>
      );
    });
  });
}
