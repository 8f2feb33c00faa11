import type { ReactNode } from "react";

/**
 * Patterns that styles refer to by id: cuts of a place's bars where colors are forced, and the hatch of missing data.
 */
export function Patterns(): ReactNode {
  return (
    <svg width="0" height="0" style={{ position: "absolute" }} aria-hidden="true">
      <pattern id="cut-dots" width="4" height="4" patternUnits="userSpaceOnUse">
        <rect x="1" y="1" width="1.6" height="1.6" fill="Canvas" />
      </pattern>
      <pattern
        id="cut-diagonal"
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="1.6" height="6" fill="Canvas" />
      </pattern>
      <pattern
        id="cut-asynchronous"
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="1.6" height="5" fill="var(--surface)" />
      </pattern>
      <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2" height="6" fill="var(--hatch)" />
      </pattern>
    </svg>
  );
}
