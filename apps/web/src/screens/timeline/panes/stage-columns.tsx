import { type StageId, stageLabel } from "@aglens/ag-model/replication";
import { type ReplicaNames, stageToken } from "../../../lanes/palette.ts";
import { Swatch } from "../../../ui/controls.tsx";
import type { FigureColumn } from "../../../ui/figure-table.tsx";
import { StageLink } from "../../capture-view/capture-links.tsx";

/** The first column of the pane's tables of stages. */
export const stageColumn = <Row extends { readonly id: StageId }>(
  head: string,
  names: ReplicaNames,
): FigureColumn<Row> => ({
  id: "stage",
  head,
  cell: ({ id }) => (
    <>
      <Swatch color={`var(${stageToken(id)})`} />
      <StageLink stage={id}>{stageLabel(id, names)}</StageLink>
    </>
  ),
});
