/**
 * Patterns that distinguish places on paper without color, as with forced colors: primary solid, network dots,
 * secondary diagonal.
 */
import type { ReactNode } from "react";
import type { StageToken } from "../../../lanes/palette.ts";

interface Cut {
  readonly token: StageToken;
  readonly kind: "dots" | "diagonal";
  /** Distance of the cuts, px: the softer color of a place has more cuts. */
  readonly step: number;
}

const CUTS: readonly Cut[] = [
  { token: "--n-out", kind: "dots", step: 4 },
  { token: "--n-back", kind: "dots", step: 2.8 },
  { token: "--s-disk", kind: "diagonal", step: 6 },
  { token: "--s-work", kind: "diagonal", step: 4 },
];
const CUT_PX = 1.6;

const idOf = ({ token }: Cut): string => `print${token.slice(1)}`;

/** Text on a bar has an outline of ink, because it cannot be read on a pattern alone. */
const WORDS_RULE =
  'text[fill="var(--on-strong)"] { paint-order: stroke; stroke: var(--ink); stroke-width: 4px; stroke-linejoin: round; }';

/**
 * Replaces a picture's flat colors by the patterns below, according to the color that the picture names; also in
 * swatches.
 */
export const printRules = (): string => [...CUTS.map(cutRules), WORDS_RULE].join("\n");

function cutRules(cut: Cut): string {
  const shapes = ["path", "rect"].map((shape) => `${shape}[fill="var(${cut.token})"]`).join(", ");
  return `${shapes} { fill: url(#${idOf(cut)}); }
i[style*="var(${cut.token})"] { ${swatchRule(cut)} }`;
}

function swatchRule({ kind, step }: Cut): string {
  if (kind === "dots")
    return `background-image: radial-gradient(circle, var(--surface) 0.9px, transparent 1px) !important; background-size: ${step}px ${step}px !important;`;
  return `background-image: repeating-linear-gradient(135deg, var(--surface) 0 ${CUT_PX}px, transparent ${CUT_PX}px ${step}px) !important;`;
}

/** The patterns that the rules refer to: the color of a place, with cuts in the color of the paper. */
export function PrintPatterns(): ReactNode {
  return (
    <svg width="0" height="0" style={{ position: "absolute" }} aria-hidden="true">
      {CUTS.map((cut) => (
        <pattern
          key={cut.token}
          id={idOf(cut)}
          width={cut.step}
          height={cut.step}
          patternUnits="userSpaceOnUse"
          patternTransform={cut.kind === "diagonal" ? "rotate(45)" : undefined}
        >
          <rect width={cut.step} height={cut.step} style={{ fill: `var(${cut.token})` }} />
          <rect
            width={CUT_PX}
            height={cut.kind === "dots" ? CUT_PX : cut.step}
            style={{ fill: "var(--surface)" }}
          />
        </pattern>
      ))}
    </svg>
  );
}
