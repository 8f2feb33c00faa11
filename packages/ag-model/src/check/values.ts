/** Expectations about values: modes, events of a block, block ids, ids of servers. */
import { EventKind, MODES } from "../events/index.ts";
import type { Expectation } from "./expectation.ts";
import { eventsOf, nameOfKind, sumOf, type CaptureFacts, type ServerFacts } from "./facts.ts";
import { expectation, number } from "./row.ts";

/** Modes of the events that have one (docs/contribute/model/events.md 1.1). */
const KNOWN_MODES: readonly (readonly [kind: number, modes: readonly number[]])[] = [
  [EventKind.capture, [1, 2, 3, 4]],
  [EventKind.receiveHarden, [1, 2]],
  [EventKind.transportReceive, [1, 2]],
  [EventKind.apply, [1, 2]],
  [EventKind.sendHarden, [1, 2, 3]],
];

/** If more of the events have an unknown mode, modes have another meaning; it is not damage. */
const MOST_UNKNOWN_SHARE = 0.01;

/** Readings of files whose events of a kind have a mode: before 2014 they have none. */
const withMode = (readings: CaptureFacts["readings"], kind: number): CaptureFacts["readings"] =>
  readings.filter(({ shape }) =>
    shape?.events.some(
      ({ name, columns }) => name === nameOfKind(kind) && columns.some((column) => column.name === "mode"),
    ),
  );

export function modesExpectation({ readings }: CaptureFacts): Expectation {
  const modes = KNOWN_MODES.flatMap(([kind, known]) => {
    const files = withMode(readings, kind);
    return Array.from({ length: MODES }, (_, mode) => {
      const n = eventsOf(files, kind, mode);
      return { kind, mode, n, isKnown: known.includes(mode) };
    });
  });
  const odd = modes.filter(({ n, isKnown }) => n > 0 && !isKnown);
  const notMet = sumOf(odd, ({ n }) => n);
  const met = sumOf(modes, ({ n }) => n) - notMet;
  return expectation({
    id: "known-modes",
    group: "values",
    title: "Known modes",
    met,
    notMet,
    unit: "events",
    isCritical: notMet > (met + notMet) * MOST_UNKNOWN_SHARE,
    expected: "Events with a mode have one of those that are known.",
    found: "capture 1 to 4, receive 1 and 2, apply 1 and 2, send 1 to 3",
    results: "Capture and send, receive",
    examples: odd.map(({ kind, mode, n }) => `${nameOfKind(kind)} has mode ${mode} in ${number(n)} events`),
  });
}

/** Events that occur once for each block together, by kind and mode (docs/contribute/model/events.md 1.2). */
const SIBLINGS: readonly (readonly (readonly [kind: number, mode: number])[])[] = [
  [[EventKind.flushStart, 0], [EventKind.flushComplete, 0]],
  [[EventKind.capture, 1], [EventKind.capture, 2]],
  [[EventKind.capture, 3], [EventKind.capture, 4]],
  [[EventKind.receiveHarden, 1], [EventKind.receiveHarden, 2]],
  [[EventKind.transportReceive, 1], [EventKind.transportReceive, 2]],
  [[EventKind.sendHarden, 1], [EventKind.sendHarden, 2], [EventKind.sendHarden, 3]],
]; // prettier-ignore

/** Lost events make counts differ; if half of the events have no partner, one of them means something else. */
const MOST_ALONE_SHARE = 0.5;
/** A file begins and ends in the middle of some blocks. */
export const AT_ENDS = 20;

interface Siblings {
  readonly words: string;
  readonly least: number;
  readonly most: number;
}

export const siblingsOf = ({ name, readings }: ServerFacts): Siblings[] =>
  SIBLINGS.map((events) => {
    const counts = events.map(([kind, mode]) => eventsOf(readings, kind, mode));
    const said = events.map(([kind, mode], i) => `${nameOfKind(kind)}${mode === 0 ? "" : ` ${mode}`}: ${number(counts[i])}`);
    return { words: `${name}: ${said.join(", ")}`, least: Math.min(...counts), most: Math.max(...counts) };
  }).filter(({ most }) => most > 0); // prettier-ignore

export function blockEventsExpectation({ servers }: CaptureFacts): Expectation {
  const found = servers.flatMap(siblingsOf);
  const odd = found.filter(({ least, most }) => most - least > 0);
  const met = sumOf(found, ({ least }) => least);
  return expectation({
    id: "events-per-block",
    group: "values",
    title: "Events per block",
    met,
    notMet: sumOf(found, ({ least, most }) => most - least),
    unit: "events",
    // An event that a session does not record at all does not change the meaning of the existing events.
    isCritical: odd.some(
      ({ least, most }) => least > 0 && most - least > Math.max(AT_ENDS, most * MOST_ALONE_SHARE),
    ),
    expected: "Events that come once for each log block come equally often, but for lost events.",
    found: "start and end of log writes, modes of one event",
    results: "Stages of the blocks that lack an event",
    examples: odd.map(({ words }) => words),
  });
}

/** If ids fall in more of the events, they are not the order of log blocks. */
const MOST_FALLING_SHARE = 0.05;

export function blockIdsExpectation({ readings }: CaptureFacts): Expectation {
  const known = sumOf(readings, ({ blockIds }) => blockIds.known);
  const falling = sumOf(readings, ({ blockIds }) => blockIds.falling);
  return expectation({
    id: "block-ids",
    group: "values",
    title: "Counters that run",
    met: known - falling,
    notMet: falling,
    unit: "log writes",
    isCritical: falling > known * MOST_FALLING_SHARE,
    expected: "log_block_id rises from one log write of a database to the next.",
    found: "log_block_id per database",
    results: "Order of blocks, acknowledgments",
    examples: falling === 0 ? [] : [`${number(falling)} log writes have a lower id than the one before.`],
  });
}

/** Texts of control_action for the begin and the end of flow control. */
const CONTROL_ACTIONS: readonly string[] = ["Set", "Cleared"];

export function mapsExpectation({ readings }: CaptureFacts): Expectation {
  const texts = [...new Set(readings.flatMap(({ controlActions }) => controlActions))];
  const odd = texts.filter((text) => !CONTROL_ACTIONS.includes(text));
  return expectation({
    id: "maps",
    group: "values",
    title: "Texts of maps",
    met: texts.length - odd.length,
    notMet: odd.length,
    unit: "texts",
    isCritical: odd.length > 0,
    expected: "control_action is Set or Cleared.",
    found: "control_action",
    results: "Flow control",
    examples: odd.map((text) => `control_action is ${text}`),
  });
}

/** The end of a virtual log file is no block's end; damage and lost events add some more. */
const MOST_OFF_SHARE = 0.2;

export function ackEndExpectation({ readings }: CaptureFacts): Expectation {
  const known = sumOf(readings, ({ acknowledgments }) => acknowledgments.known);
  const atEnds = sumOf(readings, ({ acknowledgments }) => acknowledgments.atBlockEnds);
  return expectation({
    id: "ack-end",
    group: "values",
    title: "Acknowledged block ends",
    met: atEnds,
    notMet: known - atEnds,
    unit: "events",
    isCritical: known - atEnds > known * MOST_OFF_SHARE,
    expected: "An acknowledgment names the id of a log block plus its size.",
    found: "acknowledgments on the primary against blocks captured there",
    results: "Acknowledgments, commit gates",
    examples: known === atEnds ? [] : [`${number(known - atEnds)} acknowledgments name no end of a block.`],
  });
}

export function ownIdExpectation({ model }: CaptureFacts): Expectation {
  const captured = model?.replicas.filter(({ hasCapture }) => hasCapture) ?? [];
  const named = captured.filter(({ ids }) => ids.length > 0).length;
  return expectation({
    id: "own-id",
    group: "values",
    title: "Ids name one server",
    met: named,
    notMet: captured.length - named,
    unit: "servers",
    expected: "The events of a server name its own replica id.",
    found: `${number(named)} of ${number(captured.length)} servers`,
    results: "Names, roles",
    examples: named === captured.length ? [] : ["The events of a server don't name its replica id."],
  });
}
