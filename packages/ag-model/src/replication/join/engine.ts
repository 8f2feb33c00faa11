/** Differences between the engine before SQL Server 2016 and the later one (docs/contribute/model/events.md 1.4). */
import { EventKind } from "../../events/index.ts";
import type { Server } from "../prepare/server.ts";
import type { CaptureModel } from "../shapes/tables.ts";

export type Engine = CaptureModel["engine"];

/** "pre2016" when capture modes 3 and 4 are seen. */
export const engineOf = ({ examples: { kind, mode } }: Server): Engine =>
  kind.some((each, i) => each === EventKind.capture && mode[i] >= 3) ? "pre2016" : "2016+";

/** Typical steps between neighboring events, µs, for instants whose event is missing (docs/contribute/model/joins.md 3.6). */
export interface TypicalSteps {
  readonly captureToSent: number;
  readonly flushToAck: number;
  readonly builtToAck: number;
  readonly ackToSent: number;
}

/** Medians of the two reference captures, one of each engine. */
export const typicalSteps = (engine: Engine): TypicalSteps =>
  engine === "pre2016"
    ? { captureToSent: 99, flushToAck: 37, builtToAck: 34, ackToSent: 94 }
    : { captureToSent: 146, flushToAck: 45, builtToAck: 21, ackToSent: 78 };

/** Events of mode 1 are inside those of mode 2, which begin this much earlier, µs. */
export const OUTER_TO_INNER_US = 5;

/** Group commit events of one commit. */
export const GROUP_COMMITS_PER_COMMIT: Readonly<Record<Engine, number>> = { pre2016: 1, "2016+": 2 };
