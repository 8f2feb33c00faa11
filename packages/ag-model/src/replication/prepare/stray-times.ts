/**
 * Events whose counter was moved to another day by damage: one of them would extend the complete capture to that day.
 */
import { TICKS_PER_US } from "../clocks/time.ts";

/**
 * UTC differs from a counter by milliseconds, and steps together with all later events; an event that alone differs by
 * more than this has a wrong time, µs. The limit is far longer than any wait: an event with a begin and without a
 * duration is published when it is over, and it may be a stall, which the analysis looks for.
 */
const MOST_APART_US = 3_600_000_000;
/**
 * Number of events before and after an event that are compared with it. Half of them have to agree with it. Where a
 * counter steps, that is all events on one side. It is also more than the events of its own kind, which may all have a
 * duration that was read by mistake.
 */
const NEIGHBOURS = 5;
/** Among fewer events than this it can't be determined which one is wrong. */
const FEWEST_NEAR = 5;

/**
 * Rows of the events whose time can be true; null where all can. A record that was overwritten from its middle on is
 * read as an event with a valid header, and a counter that lost its upper bytes.
 * @param fire when each event fired, µs of the counter; NaN where unknown
 * @param published publish time of each, ticks from one instant on
 */
export function rowsOfTrueTimes(fire: Float64Array, published: Float64Array): Uint32Array | null {
  if (!isFarApart(fire, published)) return null;
  const known = Uint32Array.from(fire.keys()).filter((row) => !Number.isNaN(fire[row]));
  const ahead = Float64Array.from(known, (row) => published[row] / TICKS_PER_US - fire[row]);
  const strays = new Set(known.filter((_, place) => isStray(ahead, place)));
  return strays.size === 0 ? null : Uint32Array.from(fire.keys()).filter((row) => !strays.has(row));
}

/** Whether the distance of UTC from the counter differs too much between any two events. */
function isFarApart(fire: Float64Array, published: Float64Array): boolean {
  let least = Infinity;
  let most = -Infinity;
  for (let row = 0; row < fire.length; row++) {
    const ahead = published[row] / TICKS_PER_US - fire[row];
    if (ahead < least) least = ahead;
    if (ahead > most) most = ahead;
  }
  return most - least > MOST_APART_US;
}

function isStray(ahead: Float64Array, place: number): boolean {
  const near = ahead.subarray(Math.max(place - NEIGHBOURS, 0), place + NEIGHBOURS + 1);
  if (near.length < FEWEST_NEAR) return false;
  // One of the agreeing events is the event itself.
  const agreeing = near.reduce((n, each) => n + (Math.abs(each - ahead[place]) <= MOST_APART_US ? 1 : 0), -1);
  return agreeing < Math.floor((near.length - 1) / 2);
}
