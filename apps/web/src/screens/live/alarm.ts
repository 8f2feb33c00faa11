/**
 * The alarm of a run: it rings once when a figure stays over its limit, and again only after the figure was under it.
 */

/**
 * Time that a figure must be over its limit before the alarm rings, and under it before the alarm can ring again, µs.
 */
export const ALARM_US = 5e6;

export interface AlarmState {
  /** Time since which the figure is on this side of the limit, µs of the run; null before the first. */
  readonly since: number | null;
  readonly isOver: boolean;
  /** It rang, and the figure has not been under the limit for long enough since. */
  readonly hasRung: boolean;
}

export const QUIET: AlarmState = { since: null, isOver: false, hasRung: false };

/**
 * The state after a figure.
 * @param now µs of the run
 * @param valueUs null while it is unknown, which changes nothing
 * @returns with `rings` true at the one instant at which it rings
 */
export function nextAlarm(
  state: AlarmState,
  now: number,
  valueUs: number | null,
  limitUs: number,
): AlarmState & { readonly rings: boolean } {
  if (valueUs === null) return { ...state, rings: false };
  const isOver = valueUs > limitUs;
  const since = state.since === null || isOver !== state.isOver ? now : state.since;
  const isLong = now - since >= ALARM_US;
  const rings = isOver && isLong && !state.hasRung;
  const hasRung = rings || (state.hasRung && !(isLong && !isOver));
  return { since, isOver, hasRung, rings };
}
