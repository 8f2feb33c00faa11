/** Changes and rows of waiting in words: the same on screen and on the command line. */
import type { CaptureModel } from "../replication/index.ts";
import type { Change } from "./changes.ts";

/** Name of a change, such as "SQL3's log write as SQL2's". */
export function changeName({ replicas }: CaptureModel, change: Change): string {
  const { name } = replicas[change.replica];
  switch (change.kind) {
    case "async":
      return `${name} asynchronous`;
    case "sync":
      return `${name} synchronous`;
    case "network":
      return `Network to ${name} ${msText(change.roundTripUs)}`;
    case "compression":
      return change.us === 0
        ? `No compression cost to ${name}`
        : `Compression to ${name} ${msText(change.us)}`;
    case "write": {
      const { figure } = change;
      if ("percentile" in figure) return `${name}'s log write at most its p${figure.percentile}`;
      if ("replica" in figure) return `${name}'s log write as ${replicas[figure.replica].name}'s`;
      if ("us" in figure) return `${name}'s log write ${msText(figure.us)}`;
      return `${name}'s log write as the percentiles given`;
    }
  }
}

/** A duration with its unit and three significant digits; whole µs under a millisecond, an en dash for NaN. */
export function msText(us: number): string {
  if (Number.isNaN(us)) return "–";
  if (us < 999.5) return `${Math.round(us)} µs`;
  if (us < 999_500) return `${(us / 1_000).toPrecision(3)} ms`;
  return `${(us / 1_000_000).toFixed(us < 9_995_000 ? 2 : 1)} s`;
}
