import type { ReactNode } from "react";
import type { WatchedReplica } from "@aglens/contract";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatBytes, formatCount } from "../../ui/words.ts";
import { nameOf } from "./watch-text.ts";

type Cost = NonNullable<WatchedReplica["cost"]>;

interface CostRow {
  readonly name: string;
  readonly text: (cost: Cost) => string;
}

const ROWS: readonly CostRow[] = [
  { name: texts.polls, text: ({ polls }) => formatCount(polls) },
  { name: texts.pollingCpu, text: ({ cpuSeconds }) => cpuText(cpuSeconds) },
  { name: texts.network, text: ({ bytes }) => formatBytes(bytes) },
];

/** Polls, processor time and bytes of the last hour, a column per replica. */
export function CostTable({ replicas }: { readonly replicas: readonly WatchedReplica[] }): ReactNode {
  if (replicas.every(({ cost }) => cost === null)) return <p className="muted">{texts.notMeasured}</p>;
  return (
    <div className="sideways">
      <FigureTable
        caption={texts.costPerHour}
        rows={ROWS}
        rowKey={({ name }) => name}
        columns={[
          {
            id: "name",
            head: texts.costPerHour,
            isHeadHidden: true,
            align: "left",
            cell: ({ name }) => name,
          },
          ...replicas.map((replica) => ({
            id: replica.where,
            head: nameOf(replica),
            cell: ({ text }: CostRow) => (replica.cost === null ? texts.none : text(replica.cost)),
          })),
        ]}
      />
    </div>
  );
}

const cpuText = (seconds: number | null): string =>
  seconds === null ? texts.none : texts.seconds(seconds.toFixed(seconds < 10 ? 1 : 0));
