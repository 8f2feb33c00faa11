import type { ReactNode } from "react";
import { decodeGlyph, GLYPH_COLUMNS, GLYPH_LEVELS, type Glyph } from "@aglens/ag-model/minimap";
import type { LibraryCapture } from "@aglens/contract";
import styles from "./glyph.module.css";

const HEIGHT = 20;

const PLACES = ["primary", "network", "secondary", "none"] as const;

/** A minimap of the capture, one column per pixel; during the analysis, the share that has been read. */
export function MinimapGlyph({ glyph, progress }: Pick<LibraryCapture, "glyph" | "progress">): ReactNode {
  const columns = glyph === null ? null : decodeGlyph(glyph);
  const edge = progress === null ? null : Math.round(progress.share * GLYPH_COLUMNS);
  return (
    <svg
      className={styles.glyph}
      width={GLYPH_COLUMNS}
      height={HEIGHT}
      viewBox={`0 0 ${GLYPH_COLUMNS} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {columns === null
        ? null
        : PLACES.map((place) => <path key={place} data-place={place} d={barsOf(columns, place)} />)}
      {edge === null ? null : (
        <>
          <rect className={styles.ahead} x={edge} width={GLYPH_COLUMNS - edge} height={HEIGHT} />
          <rect className={styles.edge} x={Math.min(edge, GLYPH_COLUMNS - 2)} width={2} height={HEIGHT} />
        </>
      )}
    </svg>
  );
}

/** The bars of one place, as one path. */
function barsOf({ level, place }: Glyph, of: (typeof PLACES)[number]): string {
  return place
    .map((each, x) => {
      const tall = each === of ? Math.ceil(((level[x] ?? 0) / GLYPH_LEVELS) * (HEIGHT - 2)) : 0;
      return tall === 0 ? "" : `M${x} ${HEIGHT}v-${tall}h1v${tall}z`;
    })
    .join("");
}
