/** The expectation that event_sequence numbers all events of a session, so that each missing number is a lost event. */
import { plural } from "../words/words.ts";
import type { Expectation } from "./expectation.ts";
import { sumOf, type CaptureFacts, type ServerFacts } from "./facts.ts";
import { expectation, number } from "./row.ts";
import { AT_ENDS, siblingsOf } from "./values.ts";

/** Events of a server without a number, where others have one. */
const unnumberedOf = ({ readings }: ServerFacts): number =>
  sumOf(readings, ({ shape, numbers }) =>
    numbers === undefined
      ? 0
      : sumOf(shape?.events ?? [], ({ count }) => count) - numbers.events + numbers.odd,
  );

/** Events that lack their companion although no number is missing: then numbers are not what they are taken for. */
const unseenOf = (server: ServerFacts): readonly { readonly words: string; readonly events: number }[] => {
  const { lost } = server;
  if (lost === null) return [];
  return siblingsOf(server).flatMap(({ words, least, most }) => {
    const events = most - least - lost.events;
    if (least === 0 || events <= AT_ENDS) return [];
    return [{ words: `${words}, though ${number(lost.events)} numbers are missing`, events }];
  });
};

function examplesOf(server: ServerFacts): string[] {
  const { name, readings, lost } = server;
  const numbered = sumOf(readings, ({ numbers }) => numbers?.events ?? 0);
  const without = unnumberedOf(server);
  return [
    ...unseenOf(server).map(({ words }) => words),
    ...(numbered > 0 && without > 0
      ? [`${name}: ${number(without)} of ${number(numbered + without)} events have no valid number.`]
      : []),
    ...(lost !== null && lost.events > 0
      ? [
          `${name}: ${number(lost.events)} of ${number(numbered + lost.events)} events are lost, in ${plural(lost.places, "# hole")}.`,
        ]
      : []),
  ];
}

export function numbersExpectation({ servers, readings }: CaptureFacts): Expectation {
  const numbered = sumOf(readings, ({ numbers }) =>
    numbers === undefined ? 0 : numbers.events - numbers.odd,
  );
  const lost = sumOf(servers, (server) => server.lost?.events ?? 0);
  return expectation({
    id: "event-sequence",
    group: "completeness",
    title: "Numbered events",
    met: numbered,
    notMet: lost + sumOf(servers, unnumberedOf) + sumOf(servers.flatMap(unseenOf), ({ events }) => events),
    unit: "events",
    isCritical: servers.some((server) => unseenOf(server).length > 0),
    expected: "event_sequence numbers all events of a session, and no number is missing.",
    found:
      numbered === 0 ? "no event is numbered" : `${number(numbered)} numbered events, ${number(lost)} lost`,
    results: "Exact loss",
    examples: servers.flatMap(examplesOf),
  });
}
