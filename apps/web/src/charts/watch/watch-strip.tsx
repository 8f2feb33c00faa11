import { type MouseEvent, type ReactNode, useCallback, useState } from "react";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { durationText } from "../../ui/words.ts";
import { instantText, type Zone } from "../../ui/zone.ts";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import { dayText } from "./days.ts";
import { paintStrip, type StripPicture } from "./paint-strip.ts";
import {
  markAt,
  placeMarks,
  pollsAt,
  STRIP_TICKS,
  type StripMark,
  stripTime,
  stripX,
  stripY,
  summaryOf,
} from "./strip.ts";
import styles from "./watch-strip.module.css";

interface Props {
  /** Keep it stable: the canvas draws again with each new one. */
  readonly picture: StripPicture;
  /** Times at the edges, ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** px. */
  readonly width: number;
  readonly height: number;
  readonly zone: Zone;
  /** Interval of the polls, s. */
  readonly everySeconds: number;
  /** The group, for screen readers. */
  readonly name: string;
  /** Opens a mark, or a time where no mark is. */
  readonly onOpen?: (at: number, mark: StripMark | null) => void;
  /** Reason why the end was not polled, over its hatch. */
  readonly note?: string | undefined;
  /** Drawn over the canvas. */
  readonly children?: ReactNode;
}

/** Commit delay of a watch over a time, with its triggers as marks on the top edge. */
export function WatchStrip({ picture, from, to, width, height, onOpen, ...props }: Props): ReactNode {
  const { zone, everySeconds, name, note, children } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const scale = { from, to, width, height };
  const draw = useCallback<Draw>(
    (context, wide, tall, tokens) =>
      paintStrip(context, tokens, { from, to, width: wide, height: tall }, picture),
    [picture, from, to],
  );
  const open = (event: MouseEvent<HTMLElement>): void => {
    const [x, y] = pointIn(event);
    const mark = markAt(placeMarks(picture.marks, scale), x, y);
    onOpen?.(mark?.at ?? stripTime(scale, x), mark);
  };
  const at =
    pointed === null || picture.polls === null ? null : pollsAt(picture.polls, stripTime(scale, pointed));
  const hole = note === undefined ? null : lastHole(picture, scale);
  return (
    <div className={styles.strip}>
      <p className="sr-only">{readerText(picture, name)}</p>
      {/* The keys of the page and its links replace the pointer here. */}
      <div
        aria-hidden="true"
        className={onOpen === undefined ? undefined : "clickable"}
        onClick={open}
        onPointerMove={(event) => setPointed(pointIn(event)[0])}
        onPointerLeave={() => setPointed(null)}
      >
        <ChartCanvas draw={draw} style={{ width, height }}>
          {picture.polls === null ? <span className={styles.late}>{texts.loadingPolls}</span> : null}
          {hole === null ? null : (
            <span className={styles.note} style={{ left: hole }}>
              {note}
            </span>
          )}
          {children}
          {at === null || pointed === null ? null : (
            <>
              <i className={styles.cursor} style={{ left: pointed }} />
              <span
                className={styles.tip}
                style={pointed < width / 2 ? { left: pointed + 12 } : { right: width - pointed + 12 }}
              >
                <b>{`${dayText(zone, at.at)} ${instantText(zone, new Date(at.at).toISOString())}`}</b>
                {at.isPolled
                  ? texts.pollsAt(durationText(toUs(at.delay)), durationText(toUs(at.longest)), everySeconds)
                  : texts.notPolled}
              </span>
            </>
          )}
        </ChartCanvas>
      </div>
      <div className={styles.ticks} style={{ left: width, height }} aria-hidden="true">
        {STRIP_TICKS.map((ms) => (
          <span key={ms} style={{ top: stripY({ height }, ms) - 6 }}>
            {ms === 1 ? texts.ms(ms) : ms}
          </span>
        ))}
      </div>
    </div>
  );
}

const toUs = (ms: number | null): number | null => (ms === null ? null : ms * 1000);

/** The middle of the newest time without polls, px; null where a text has no room. */
function lastHole(
  { polls, now }: StripPicture,
  scale: { from: number; to: number; width: number; height: number },
) {
  if (polls === null) return null;
  const last = polls.polled.findLastIndex((share) => share > 0);
  const left = Math.max(0, stripX(scale, polls.from + (last + 1) * polls.width));
  const right = Math.min(scale.width, stripX(scale, now));
  return right - left < LEAST_NOTE ? null : (left + right) / 2;
}

/** Width of a text about polls that are missing, px. */
const LEAST_NOTE = 110;

function pointIn({
  currentTarget,
  clientX,
  clientY,
}: MouseEvent<HTMLElement>): readonly [x: number, y: number] {
  const { left, top } = currentTarget.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

/** The strip in words. */
function readerText({ polls, marks, limitMs, now }: StripPicture, name: string): string {
  if (polls === null) return texts.pollsAreLoading(name);
  const { least, most, longest, unpolledMs } = summaryOf(polls, now);
  const [refused, failed] = (["refused", "failed"] as const).map(
    (kind) => marks.filter((mark) => mark.kind === kind).length,
  ) as [number, number];
  return [
    most === null
      ? texts.noPollsIn(name)
      : texts.delayFromTo(
          name,
          durationText(toUs(least)),
          durationText(toUs(most)),
          durationText(toUs(longest)),
        ),
    ...(limitMs === null ? [] : [texts.limitIs(durationText(toUs(limitMs)))]),
    texts.recordingsAndRefusals(marks.length - refused - failed, refused, failed),
    ...(unpolledMs < 60_000 ? [] : [texts.notPolledFor(durationText(unpolledMs * 1000))]),
  ].join(" ");
}
