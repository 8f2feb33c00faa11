import { type ReactNode, useCallback, useEffect, useState } from "react";
import { pagesTexts as texts } from "../messages/pages.ts";
import { TOUR } from "../messages/tour.ts";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { Button, Kbd } from "../ui/controls.tsx";
import styles from "./tour.module.css";

/** Time between two look-ups of a step's place: its screen may still be loading, or its content may move, ms. */
const LOOK_MS = 200;
const FRAME_PX = 4;
const GAP_PX = 12;

type Place = Pick<DOMRect, "top" | "left" | "width" | "height">;

/**
 * A step of the tour of the sample: its place is framed, the rest is dimmed, and a card explains it. @param step from 1
 * on
 */
export function Tour({ step }: { readonly step: number }): ReactNode {
  const { open, setView } = useCapture();
  const shown = TOUR[step - 1];
  const next = TOUR[step];
  const before = TOUR[step - 2];
  const place = usePlace(shown?.target);
  const leave = useCallback(() => setView({ tour: null }), [setView]);
  useLeaveKey(leave);
  if (shown === undefined) return null;
  const goOn = (): void => (next === undefined ? leave() : open(next.tab, { tour: step + 1 }));
  return (
    <>
      {place === null ? null : <div className={styles.frame} style={place} aria-hidden="true" />}
      <dialog
        key={step}
        ref={focusNext}
        open
        aria-label={texts.tourOfTheSample(step, TOUR.length)}
        className={styles.card}
        style={cardPlace(place)}
      >
        <p className="muted">{texts.tourOfTheSample(step, TOUR.length)}</p>
        <h2>{shown.title}</h2>
        <p>{shown.text}</p>
        <p>{shown.attempt}</p>
        <div className={styles.actions}>
          <Button kind="quiet" onClick={leave}>
            {texts.leaveTour} <Kbd>Esc</Kbd>
          </Button>
          {before === undefined ? null : (
            <Button onClick={() => open(before.tab, { tour: step - 1 })}>{texts.back}</Button>
          )}
          <Button kind="primary" data-next onClick={goOn}>
            {next === undefined ? texts.finish : texts.next(next.title.toLowerCase())}
          </Button>
        </div>
      </dialog>
    </>
  );
}

/** Enter continues from the step that is shown. */
const focusNext = (card: HTMLDialogElement | null): void =>
  card?.querySelector<HTMLElement>("[data-next]")?.focus();

/** Esc closes the tour before the page goes back a level. */
function useLeaveKey(leave: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      leave();
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, [leave]);
}

/** Place of a selector's element in the window, with a margin; null while it does not exist. */
function usePlace(target: string | undefined): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    const look = (): void => setPlace((last) => nearly(last, placeOf(target)));
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [target]);
  return place;
}

function placeOf(target: string | undefined): Place | null {
  const box = target === undefined ? undefined : document.querySelector(target)?.getBoundingClientRect();
  if (box === undefined || box.width === 0) return null;
  return {
    top: box.top - FRAME_PX,
    left: box.left - FRAME_PX,
    width: box.width + 2 * FRAME_PX,
    height: box.height + 2 * FRAME_PX,
  };
}

/** The same object until it moves. */
const nearly = (last: Place | null, now: Place | null): Place | null =>
  JSON.stringify(last) === JSON.stringify(now) ? last : now;

/**
 * Below the element of the step, above it where there is more room, in the lower right corner over an element that
 * fills the window.
 */
function cardPlace(place: Place | null): Partial<Record<"top" | "bottom" | "left" | "right", number>> {
  const [width, height] = [window.innerWidth, window.innerHeight];
  const corner = { right: 24, bottom: 48 };
  if (place === null || width < 720) return corner;
  const below = height - place.top - place.height;
  const left = Math.max(16, Math.min(place.left + place.width / 2 - 250, width - 516));
  if (below >= 260) return { top: place.top + place.height + GAP_PX, left };
  return place.top >= 260 ? { bottom: height - place.top + GAP_PX, left } : corner;
}
