import { perModel, stageColumn } from "../columns/index.ts";
import { slotOfReplica } from "../replication/shapes/slots.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** Duration of a replica's log write of each block, in whichever role it made it, µs; NaN where unknown. */
export const logWritesOf = perModel((model: CaptureModel, replica: number): Float64Array => {
  const own = model.phases.map(({ primary }) =>
    primary === replica
      ? stageColumn(model, 0, "localFlush")
      : stageColumn(model, slotOfReplica(primary, replica), "secondaryFlush"),
  );
  const [column] = own;
  if (column !== undefined && own.every((other) => other === column)) return column;
  return Float64Array.from(model.blocks.phase, (phase, row) => own[phase][row]);
});
