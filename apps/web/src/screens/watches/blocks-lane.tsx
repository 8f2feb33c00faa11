import type { ReactNode } from "react";
import { MOST_DOTS } from "@aglens/contract";
import { MINIMAP_BINS } from "@aglens/ag-model/minimap";
import { MinimapPicture } from "../../charts/minimap-picture.tsx";
import { stripX } from "../../charts/watch/strip.ts";
import { captureAddress } from "../../data/capture-address.ts";
import { httpSource } from "../../data/http-source.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { msOf } from "../../ui/zone.ts";
import styles from "./watch.module.css";

interface Props {
  readonly captureId: string;
  /** Times at the edges of the picture, ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** px. */
  readonly width: number;
}

const HEIGHT = 72;

/** The capture of a trigger on its time: the slowest log block of each pixel, in the color of its largest part. */
export function BlocksLane({ captureId, from, to, width }: Props): ReactNode {
  const source = httpSource(captureAddress(captureId));
  const { value: summary, error } = useAnswer(source.summary());
  // The question of the overview, whose answer the server keeps.
  const window = useAnswer(
    summary === null ? null : source.window({ from: 0, to: summary.durationUs }, MOST_DOTS, MINIMAP_BINS),
  );
  const x = (ms: number): number => Math.min(width, Math.max(0, stripX({ from, to, width, height: 0 }, ms)));
  const origin = summary === null ? to : msOf(BigInt(summary.originTicks));
  const [left, right] = [x(origin), x(origin + (summary?.durationUs ?? 0) / 1000)];
  const problem = error ?? window.error;
  return (
    <>
      <div className={styles.gutter}>
        <h2>{texts.logBlocks}</h2>
        <p>{texts.slowestPerPixel}</p>
      </div>
      <div className={styles.blocks} style={{ height: HEIGHT }}>
        {problem === null ? (
          <div style={{ marginLeft: left, width: right - left }}>
            <MinimapPicture
              window={window.value}
              height={HEIGHT}
              label={texts.blocksPicture}
              {...(summary !== null && { standing: summary })}
            />
          </div>
        ) : (
          <p>{problem}</p>
        )}
      </div>
    </>
  );
}
