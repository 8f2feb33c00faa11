/** Words of the lenses. */
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText } from "../../ui/words.ts";
import type { Lens } from "./lens-events.ts";

const microseconds = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const milliseconds = new Intl.NumberFormat("en-US", { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** An offset to the microsecond, so that neighbors differ far from the block's start. */
export function lensOffset(us: number): string {
  const sign = us < 0 ? "−" : "+";
  const size = Math.abs(us);
  return size < 1000
    ? `${sign}${microseconds.format(size)}\u2009µs`
    : `${sign}${milliseconds.format(size / 1000)}\u2009ms`;
}

/** Title of a lens with the period that it magnifies: "First 488 µs on SQL1". */
export function lensTitle(
  lens: Lens,
  { primary, secondary }: { readonly primary: string; readonly secondary: string },
): string {
  const length = lens.length === null ? "" : ` ${durationText(lens.length)}`;
  const after = length === "" ? "" : `,${length}`;
  switch (lens.key) {
    case "send":
      return texts.firstOn(length, primary);
    case "receive":
      return texts.receives(secondary, after);
    case "acknowledge":
      return texts.acknowledges(secondary, after);
    case "release":
      return texts.lastOn(length, primary);
    case "ack":
      return texts.takesTheAckOf(primary, secondary, after);
  }
}
