import { type RemoteStageId, stageName } from "@aglens/ag-model/replication";
import type { ReactNode } from "react";
import type { LivePicture } from "@aglens/contract";
import { BlockBar } from "../../charts/block-bar.tsx";
import { type ReplicaNames, stageToken } from "../../lanes/palette.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { Swatch } from "../../ui/controls.tsx";
import { formatPercent } from "../../ui/words.ts";
import { judgedText } from "./run-text.ts";
import styles from "./sessions.module.css";

const SHOWN = 4;

/**
 * Stages of remote harden on one secondary in the seconds of the verdict: all stages in one bar, the largest ones by
 * name.
 */
export function Shares({
  shares,
  judged,
  names,
}: {
  readonly judged: LivePicture["judged"];
  readonly shares: LivePicture["shares"][number];
  readonly names: ReplicaNames;
}): ReactNode {
  const largest = (Object.entries(shares) as [RemoteStageId, number][])
    .filter(([, share]) => share > 0.005)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN);
  if (largest.length === 0) return null;
  return (
    <section className={styles.shares} aria-label={texts.remoteHardenTo(names.secondary)}>
      <h3>
        {texts.remoteHardenTo(names.secondary)} <span className="quiet">{judgedText(judged)}</span>
      </h3>
      <BlockBar stages={shares} scaleUs={1} height={12} />
      <ul>
        {largest.map(([id, share]) => (
          <li className="row gap-6 narrows" key={id}>
            <Swatch color={`var(${stageToken(id)})`} />
            <span title={stageName(id, names)}>{stageName(id, names)}</span>
            <b>{formatPercent(share)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
