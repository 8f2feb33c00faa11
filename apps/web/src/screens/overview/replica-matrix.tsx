import { type CSSProperties, type ReactNode, useMemo } from "react";
import type { ReplicaRows } from "@aglens/contract";
import { barLength } from "../../charts/block-pieces.ts";
import { type LinearScale, pathScale } from "../../charts/path-axis.tsx";
import { Problem } from "../../frame/problem.tsx";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { formatCount } from "../../ui/words.ts";
import { useSize } from "../../ui/use-size.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { AsynchronousRows } from "./charts/asynchronous-rows.tsx";
import { TimeAxis } from "./charts/chart-panel.tsx";
import { LatencyRow } from "./charts/latency-row.tsx";
import { useOverview } from "./overview-context.ts";
import { ReleaseRows } from "./charts/release-rows.tsx";
import { modeSwitches } from "../capture-view/phases.ts";
import { RoleRows } from "./charts/roles-ribbon.tsx";
import { asynchronousOf, candidatesOf } from "./replica-candidates.ts";
import { useDragToZoom } from "./charts/use-drag-to-zoom.ts";
import styles from "./replica-matrix.module.css";

/**
 * Commit latency, the releases of the commits, the path to each replica: a row is a replica; the columns show time,
 * number and path.
 */
export function ReplicaMatrix(): ReactNode {
  const { summary } = useCapture();
  const { replicaRows } = useOverview();
  const { value, error, retry } = replicaRows;
  return (
    <section
      className={`card ${styles.matrix}`}
      aria-label={texts.replicasOnOneScale}
      aria-busy={value === null && error === null}
    >
      <Problem sentence={error} onRetry={retry} />
      {value !== null && <Rows rows={value} />}
      {value === null && error === null && (
        <p className={styles.pending}>{texts.readingLogBlocks(formatCount(summary.blocks.total))}</p>
      )}
    </section>
  );
}

function Rows({ rows }: { readonly rows: ReplicaRows }): ReactNode {
  const { summary } = useCapture();
  const { scale, setRange, setHover } = useOverview();
  const [setPlot, { width }] = useSize<HTMLDivElement>();
  const drag = useDragToZoom(scale, setRange, setHover);
  const { waitedFor: path, asynchronous: ownPath } = useMemo(() => scalesOf(rows), [rows]);
  const plot = { width, drag };
  const asynchronous = asynchronousOf(rows, summary);
  return (
    <table className={styles.rows} style={gridStep(path)}>
      <colgroup>
        <col className={styles.nameColumn} />
        <col />
        <col className={styles.figureColumn} />
        <col className={styles.figureColumn} />
        <col className={styles.pathColumn} />
        <col className={styles.figureColumn} />
        <col className={styles.figureColumn} />
      </colgroup>
      {modeSwitches(summary).length > 0 && (
        <tbody>
          <tr className={styles.latency}>
            <th scope="row">
              <h2>{texts.availabilityModes}</h2>
              <small>{texts.pressOneToSee}</small>
            </th>
            <td className={styles.plot}>{width > 0 && <RoleRows width={width} />}</td>
            <td colSpan={5} />
          </tr>
        </tbody>
      )}
      <LatencyRow rows={rows} plot={plot} setPlot={setPlot} />
      <ReleaseRows candidates={candidatesOf(rows, summary)} rows={rows} path={path} plot={plot} />
      {asynchronous.length > 0 && (
        <AsynchronousRows replicas={asynchronous} path={ownPath} grid={gridStep(ownPath)} plot={plot} />
      )}
      <tfoot aria-hidden="true">
        <tr>
          <td />
          <td className={styles.plot}>
            <TimeAxis width={width} />
          </td>
          <td colSpan={5} />
        </tr>
      </tfoot>
    </table>
  );
}

/** Paths that commits wait for and the local log write have one scale, asynchronous ones their own. */
function scalesOf({
  local,
  replicas,
}: ReplicaRows): Readonly<Record<"waitedFor" | "asynchronous", LinearScale>> {
  const lengths = (isAsynchronous: boolean): number[] =>
    replicas
      .filter(({ behind }) => (behind !== null) === isAsynchronous)
      .map(({ stages }) => Math.max(stages.remoteHarden ?? 0, barLength(stages)));
  return {
    waitedFor: pathScale([...lengths(false), local.write.mean ?? 0]),
    asynchronous: pathScale(lengths(true)),
  };
}

/** Distance of the grid lines behind bars of one scale. */
const gridStep = ({ to, ticks }: LinearScale): CSSProperties =>
  ({ "--grid-step": `${(100 * (ticks[1] ?? to)) / to}%` }) as CSSProperties;
