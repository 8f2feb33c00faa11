/** Expectations about times: their order, their unit, their resolution, and that counter and UTC run together. */
import { EventName } from "../events/index.ts";
import type { Expectation } from "./expectation.ts";
import { sumOf, type CaptureFacts } from "./facts.ts";
import { expectation, number } from "./row.ts";

/** Damage makes single events odd; more odd events mean another meaning or unit. */
const MOST_ODD_SHARE = 0.01;

export function orderExpectation({ readings, model }: CaptureFacts): Expectation {
  const pairs = sumOf(readings, ({ writes }) => writes.pairs);
  const inOrder = sumOf(readings, ({ writes }) => writes.inOrder);
  const clocks = model?.clocks ?? [];
  const aligned = sumOf(clocks, ({ blocksUsed }) => blocksUsed);
  const against = sumOf(clocks, ({ causalityViolationsAfter }) => causalityViolationsAfter);
  const odd = pairs - inOrder + against;
  return expectation({
    id: "instant-order",
    group: "time",
    title: "Order of times",
    met: inOrder + Math.max(0, aligned - against),
    notMet: odd,
    unit: "times",
    isCritical: odd > (pairs + aligned) * MOST_ODD_SHARE,
    expected: "A log write starts before it completes, and a block is sent before it is received.",
    found: "log writes on each server, blocks between servers",
    results: "All durations",
    examples: [
      ...(pairs > inOrder ? [`${number(pairs - inOrder)} log writes complete before they start.`] : []),
      ...(against > 0
        ? [`${number(against)} blocks are received before they are sent, on aligned clocks.`]
        : []),
    ],
  });
}

export function unitsExpectation({ readings }: CaptureFacts): Expectation {
  const pairs = sumOf(readings, ({ writes }) => writes.pairs);
  const inMs = sumOf(readings, ({ writes }) => writes.inMs);
  return expectation({
    id: "units",
    group: "time",
    title: "Units of durations",
    met: inMs,
    notMet: pairs - inMs,
    unit: "log writes",
    isCritical: pairs - inMs > pairs * MOST_OTHER_UNIT_SHARE,
    expected: `The duration of ${EventName.flushComplete} in ms agrees with start_timestamp in µs.`,
    found: `${number(pairs)} log writes compared`,
    results: "Log write times",
    examples:
      pairs === inMs ? [] : [`${number(pairs - inMs)} log writes took another time by their own duration.`],
  });
}

/** Sometimes two writes of one block are paired with each other's end. */
const MOST_OTHER_UNIT_SHARE = 0.2;

export function countersExpectation({ readings }: CaptureFacts): Expectation {
  const known = sumOf(readings, ({ counters }) => counters.known);
  const jumps = sumOf(readings, ({ counters }) => counters.jumps);
  return expectation({
    id: "counters",
    group: "time",
    title: "Counter runs with UTC",
    met: known - jumps,
    notMet: jumps,
    unit: "events",
    isCritical: jumps > known * MOST_ODD_SHARE,
    expected: "start_timestamp counts µs and runs with the time at which events are published.",
    found: "start_timestamp against timestamp",
    results: "All durations",
    examples: jumps === 0 ? [] : [`${number(jumps)} events are more than 10 s from the one before.`],
  });
}

/** Ticks per second that have been seen; 0 means 10,000,000 (docs/reference/xel-format.md 6). */
const FREQUENCIES: readonly string[] = ["10000000", "0"];

const inWords = (frequency: string): string => number(Number(frequency));

export function ticksExpectation({ readings }: CaptureFacts): Expectation {
  const found = readings.flatMap(({ shape }) => shape?.frequencies ?? []);
  const odd = found.filter((frequency) => !FREQUENCIES.includes(frequency));
  return expectation({
    id: "ticks",
    group: "time",
    title: "Clock of the file",
    met: found.length - odd.length,
    notMet: odd.length,
    unit: "clocks",
    expected: "Times count 10,000,000 ticks per second.",
    found: `${[...new Set(found)].map(inWords).join(", ")} ticks per second`,
    results: "All times",
    examples: [...new Set(odd)].map((frequency) => `${inWords(frequency)} ticks per second`),
  });
}

/** A smaller number of events may have whole milliseconds by chance. */
const FEWEST_EVENTS = 100;

export function fractionsExpectation({ servers }: CaptureFacts): Expectation {
  const figures = servers.map(({ name, readings }) => ({
    name,
    events: sumOf(readings, ({ times }) => times),
    whole: sumOf(readings, ({ wholeMs }) => wholeMs),
    hasCounter: readings.some(({ counters }) => counters.known > 0),
  }));
  const rounded = figures.filter(({ events, whole }) => events >= FEWEST_EVENTS && whole === events);
  const all = sumOf(figures, ({ events }) => events);
  const notMet = sumOf(rounded, ({ events }) => events);
  return expectation({
    id: "fractions",
    group: "time",
    title: "Fractions of a millisecond",
    met: all - notMet,
    notMet,
    unit: "events",
    // Events saved as XML or CSV are rounded too: durations come from start_timestamp where there is one.
    isCritical: rounded.some(({ hasCounter }) => !hasCounter),
    expected: "Times have a resolution of 100 ns.",
    found: "timestamp of each event",
    results: "Time of day, durations without start_timestamp",
    examples: rounded.map(
      ({ name, events }) =>
        `All ${number(events)} timestamps of ${name} are whole milliseconds: a tool rounded them.`,
    ),
  });
}
