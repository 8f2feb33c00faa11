import { type ReactNode, useCallback, useMemo } from "react";
import type { Tokens } from "../../lanes/palette.ts";
import { chartsTexts as texts } from "../../messages/charts.ts";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import { paintPicture, type PanelColors, pictureText, rowAt } from "./paint-picture.ts";
import type { Picture } from "./picture.ts";

interface Props {
  readonly picture: Picture;
  readonly selected: number | null;
  readonly height: number;
  readonly onSelect: (row: number) => void;
}

/** The picture of a query's rows. Its table has the same data for keys and screen readers. */
export function QueryPicture({ picture, selected, height, onSelect }: Props): ReactNode {
  const label = useMemo(() => pictureLabel(picture), [picture]);
  const draw = useCallback<Draw>(
    (context, width, tall, tokens) =>
      paintPicture(context, tokens, { width, height: tall }, picture, {
        colors: panelColors(picture, tokens),
        selected,
      }),
    [picture, selected],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys choose rows in the table
    <ChartCanvas
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas in a box
      role="img"
      aria-label={label}
      style={{ height }}
      draw={draw}
      onClick={({ currentTarget, clientX, clientY }) => {
        const { left, top, width } = currentTarget.getBoundingClientRect();
        const row = rowAt(picture, width, height, clientX - left, clientY - top);
        if (row !== null) onSelect(row);
      }}
    />
  );
}

/** `p50, p95 over at, for each replica: SQL2, SQL3.` */
function pictureLabel(picture: Picture): string {
  const { x, y, panels, panelColumn } = picture;
  const each =
    panelColumn === null ? "" : texts.forEach(panelColumn, panels.map(({ label }) => label).join(", "));
  return texts.overPart(y.map(({ name }) => name).join(", "), x.name, each, pictureText(picture));
}

/** Hue is the place: a stage or a replica has its color of the lanes, everything else is ink. */
export function panelColors({ panelColumn, panels, y }: Picture, tokens: Tokens): PanelColors[] {
  return panels.map(({ label }): PanelColors => {
    const [strong, soft] = placeColors(panelColumn, label, tokens);
    const columns = y.map(({ name }) => {
      if (/network/iu.test(name)) return tokens["--n-out"];
      return y.length === 1 || /log_write|^p\d+$/iu.test(name) ? strong : tokens["--ink-2"];
    });
    return { strong, soft, columns };
  });
}

function placeColors(column: string | null, value: string, tokens: Tokens): readonly [string, string] {
  if (/network/iu.test(value)) return [tokens["--n-out"], tokens["--n-back"]];
  const isSecondary = column === "replica" || (column === "gate" && !OTHER_GATES.has(value));
  if (isSecondary) return [tokens["--s-disk"], tokens["--s-work"]];
  const isPrimary = column === "primary" || value === "local_flush";
  return isPrimary ? [tokens["--p-disk"], tokens["--p-work"]] : [tokens["--ink-2"], tokens["--wait-soft"]];
}

const OTHER_GATES = new Set(["local_flush", "unknown", "–"]);
