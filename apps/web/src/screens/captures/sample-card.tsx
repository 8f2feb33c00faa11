import type { ReactNode } from "react";
import type { BinWindow, BlockWindow } from "@aglens/contract";
import { navigate } from "../../state/navigate.ts";
import { MinimapPicture } from "../../charts/minimap-picture.tsx";
import { openSample, previewOfSample } from "../../data/captures-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import styles from "./sample-card.module.css";

const SAMPLE = "slow-network";

/** The sample that comes with the server, at a glance. */
export function SampleCard(): ReactNode {
  const { value: preview, error, retry } = useAnswer(previewOfSample(SAMPLE));
  const blocks = preview === null ? 0 : blocksIn(preview);
  const start = useCommand(async () => navigate(`/captures/${(await openSample(SAMPLE)).id}`));
  return (
    <section className={`card ${styles.sample}`} aria-label="Sample capture">
      <div className={styles.head}>
        <b>Sample capture</b>
        <span className="quiet">{blocks === 0 ? "" : `${formatCount(blocks)} blocks`}</span>
      </div>
      <div className={styles.picture}>
        <MinimapPicture
          window={preview}
          height={44}
          label="The sample at a glance: the slowest block per column, coloured by its largest stage."
        />
      </div>
      <Problem sentence={error} onRetry={retry} />
      <p className={styles.words}>
        A slow network for half a minute, between one primary and one secondary. Read it in two minutes.
      </p>
      <Button size="large" disabled={start.isRunning} onClick={() => start.run()}>
        Open the sample capture
      </Button>
      <Problem sentence={start.error} />
    </section>
  );
}

function blocksIn(window: BinWindow | BlockWindow): number {
  return window.detail === "blocks"
    ? window.blocks.length
    : window.count.reduce((sum, count) => sum + count, 0);
}
