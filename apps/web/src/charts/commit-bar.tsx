import type { ReactNode } from "react";
import { Gate } from "@aglens/ag-model/replication";
import type { SlowCommit } from "@aglens/contract";
import { LocalBar, PathBar } from "./path-bar.tsx";
import "./charts.css";

interface Props {
  readonly commit: SlowCommit;
  /** µs of the full width; commits that are compared share it. */
  readonly scaleUs: number;
}

const HEIGHT = 9;
const LINE = 2;

/**
 * A commit from its start to its release: the wait before its block was sent, the path that released it or was chosen,
 * dots while that path was ready and the local log write was not, the local log write as a thin line, and at the end
 * the color of the releaser. Decorative: the figures are printed next to it.
 */
export function CommitBar({ commit, scaleUs }: Props): ReactNode {
  const { gate, secondary, waited, localStart, localEnd, paths } = commit;
  const path = paths[secondary];
  const begun = path?.start ?? localStart ?? waited ?? 0;
  const isLocal = gate === Gate.localFlush;
  const released = isLocal ? localEnd : (path?.end ?? null);
  const percent = (us: number): string => `${((100 * us) / scaleUs).toFixed(3)}%`;
  const ready = path?.end ?? null;
  return (
    <div className="commit-bar" aria-hidden="true">
      <i className="queued" style={{ width: percent(Math.max(0, begun)) }} />
      {path !== undefined && path.start !== null && (
        <PathBar stages={path.stages} startUs={path.start} scaleUs={scaleUs} height={HEIGHT} />
      )}
      {isLocal && ready !== null && released !== null && released > ready && (
        <i className="ready" style={{ left: percent(ready), width: percent(released - ready) }} />
      )}
      {localStart !== null && localEnd !== null && (
        <i className="local">
          <LocalBar us={localEnd - localStart} startUs={localStart} scaleUs={scaleUs} height={LINE} />
        </i>
      )}
      {gate !== Gate.unknown && released !== null && (
        <i
          className="released"
          style={{ left: percent(released), background: isLocal ? "var(--p-disk)" : "var(--s-disk)" }}
        />
      )}
    </div>
  );
}
