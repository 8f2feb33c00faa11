import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import { timelineTexts as texts } from "../../messages/timeline.ts";
import type { Period } from "../../state/zoom-trail.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { durationText, formatRange } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { firstViewName, WHOLE_CAPTURE } from "../capture-view/shown-range.ts";
import { useZoomSteps } from "./use-zoom-steps.ts";
import styles from "./zoom-row.module.css";

/** Maximum number of crumbs; with more, one crumb replaces those in the middle. */
const MOST_CRUMBS = 4;

/** Two ranges that share this part of the time that both cover count as the same range. */
const SAME_SHARE = 0.8;

/** Under the strip of the timeline: the zooms before this one, and the selected range. */
export function ZoomRow({ onCopyLink }: { readonly onCopyLink: () => void }): ReactNode {
  const { summary, view } = useCapture();
  const { trail, go } = useZoomSteps();
  // On a small screen the lanes need the space; the keys still work.
  const hasRoom = useMedia("(min-width: 720px) and (min-height: 700px)");
  if (!hasRoom) return null;
  const steps = [...trail.back, trail.range];
  return (
    <section className={styles.row} aria-label={texts.zoomsAndSelection}>
      <span className={styles.ways}>
        <button
          type="button"
          aria-label={texts.zoomBack}
          title={texts.zoomBackBackspace}
          disabled={trail.back.length === 0}
          onClick={() => go(1)}
        >
          ‹
        </button>
        <button
          type="button"
          aria-label={texts.zoomAheadAgain}
          title={texts.zoomAheadAgainAlt}
          disabled={trail.ahead.length === 0}
          onClick={() => go(-1)}
        >
          ›
        </button>
      </span>
      <nav aria-label={texts.zooms}>
        <ol className={styles.crumbs}>
          {crumbsOf(steps.length).map((place) =>
            place === null ? (
              <li key="between">…</li>
            ) : place === steps.length - 1 ? (
              <li key={place} aria-current="step">
                <b>{periodName(steps[place] ?? null, summary, view.secondary)}</b>
              </li>
            ) : (
              <li key={place}>
                <button type="button" onClick={() => go(steps.length - 1 - place)}>
                  {periodName(steps[place] ?? null, summary, view.secondary)}
                </button>
              </li>
            ),
          )}
        </ol>
      </nav>
      {trail.back.length === 0 ? null : (
        <span className="rigid quiet text-small">
          <Kbd>Backspace</Kbd> {texts.back}
        </span>
      )}
      {view.selected === null ? null : <SelectedRange selected={view.selected} onCopyLink={onCopyLink} />}
    </section>
  );
}

function SelectedRange({
  selected: [from, to],
  onCopyLink,
}: {
  readonly selected: readonly [number, number];
  readonly onCopyLink: () => void;
}): ReactNode {
  const { summary, setView } = useCapture();
  const digits = to - from < 1e6 ? 6 : 1;
  return (
    <span className={styles.selected}>
      <b>{texts.selection(durationText(to - from))}</b>
      <span className="figures">{formatRange(summary, from, to, digits)}</span>
      <Button onClick={onCopyLink}>
        {texts.copyLinkToIt} <Kbd>y</Kbd>
      </Button>
      <Button kind="quiet" onClick={() => setView({ selected: null }, "replace")}>
        {texts.clear} <Kbd>Esc</Kbd>
      </Button>
    </span>
  );
}

/** Places of the shown steps, first to last; null for those between. */
export function crumbsOf(steps: number): readonly (number | null)[] {
  const all = Array.from({ length: steps }, (_, place) => place);
  if (steps <= MOST_CRUMBS) return all;
  return [0, null, ...all.slice(2 - MOST_CRUMBS)];
}

/** `Whole capture`, `Slow network 35.6 s` for an episode, else the length: `4.98 s`. */
export function periodName(
  period: Period,
  summary: Pick<Summary, "verdict" | "durationUs" | "phases" | "replicas">,
  secondary: number,
): string {
  const { verdict, durationUs } = summary;
  if (period === null) return firstViewName(summary);
  if (period[0] <= 0 && period[1] >= durationUs) return WHOLE_CAPTURE;
  const [from, to] = period;
  const length = durationText(to - from);
  const episode = verdict.episodes.find((each) => {
    const shared = Math.min(to, each.to) - Math.max(from, each.from);
    const both = Math.max(to, each.to) - Math.min(from, each.from);
    return each.secondary === secondary && shared / both >= SAME_SHARE;
  });
  return episode === undefined ? length : `${episode.label} ${length}`;
}
