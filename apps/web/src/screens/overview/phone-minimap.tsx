import { type ReactNode, useMemo } from "react";
import { Minimap } from "../../charts/minimap.tsx";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { Card } from "../../ui/controls.tsx";
import { formatTime } from "../../ui/words.ts";
import { useMedia } from "../../ui/use-media.ts";
import { useSize } from "../../ui/use-size.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { useOverview } from "./overview-context.ts";
import { useRecordedBy } from "./use-recorded-by.ts";
import styles from "./phone-minimap.module.css";

const HEIGHT_PX = 44;

/** First picture on a phone: the slowest block over time, a tap opens the timeline; absent elsewhere. */
export function PhoneMinimap(): ReactNode {
  const isNarrow = useMedia("(max-width: 719px)");
  return isNarrow ? <SlowestOverTime /> : null;
}

function SlowestOverTime(): ReactNode {
  const { summary, open } = useCapture();
  const { scale, minimap, uncovered, lost, switches, setRange } = useOverview();
  const [plot, { width }] = useSize<HTMLDivElement>();
  const at = useRecordedBy()?.at ?? null;
  const triggers = useMemo(() => (at === null ? [] : [Math.max(0, at)]), [at]);
  return (
    <Card
      title={texts.slowestBlockOverTime}
      aside={
        <button type="button" className={styles.open} onClick={() => open("timeline")}>
          {texts.openTheTimeline}
        </button>
      }
    >
      <div ref={plot} style={{ minHeight: HEIGHT_PX }}>
        {minimap.value !== null && width > 0 ? (
          <Minimap
            columns={minimap.value}
            range={[scale.from, scale.to]}
            uncovered={uncovered}
            lost={lost}
            switches={switches}
            triggers={triggers}
            onRange={setRange}
            width={width}
            height={HEIGHT_PX}
          />
        ) : null}
      </div>
      <div className="flex-box spread quiet text-axis" aria-hidden="true">
        <span>{formatTime(summary, 0, 0)}</span>
        {at === null ? null : <span className="ink">{texts.triggerAt(formatTime(summary, at, 0))}</span>}
        <span>{formatTime(summary, summary.durationUs, 0)}</span>
      </div>
    </Card>
  );
}
