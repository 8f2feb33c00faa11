import { factsOfClusterInfo } from "../health/cluster-info.ts";
import { factsOfMessage } from "../messages/messages.ts";
import { withoutUser } from "../samples/leftovers.ts";
import type { EvidenceEvent, EvidenceSource } from "../shapes.ts";
import type { FileFacts } from "./file-facts.ts";

/** Lines that name parts of a file, and nothing that a person wrote. */
const NAMES_ONLY = /^(?:Error \d+|Rowset [\w .]+|Column [\w .,\\()/:%$#-]+)$/u;
const DROPPED = "(text dropped)";

/**
 * Facts without texts that may contain statements, logins or computers: those that were kept on request, lines that no
 * rule understood, and lines after the first one of an entry.
 */
export function withoutSensitive(facts: FileFacts): FileFacts {
  const { keepsSensitive } = facts;
  let { dropped } = facts;
  const kept = <Text extends string | null>(text: Text, after: Text): Text => {
    if (after !== text) dropped++;
    return after;
  };
  const sourceOf = (source: EvidenceSource, message: number | null): EvidenceSource => ({
    ...source,
    text: kept(
      source.text,
      source.text === null || (keepsSensitive && isSensitive(source.text, message))
        ? null
        : source.text.split("\n", 1)[0]!,
    ),
  });
  const { notUnderstood } = facts;
  return {
    ...facts,
    notUnderstood: notUnderstood && {
      ...notUnderstood,
      first: notUnderstood.first.map((line) => kept(line, lineWithoutText(line, facts))),
    },
    events: facts.events.map((event): EvidenceEvent => ({
      ...event,
      // A statement is behind the first sentence.
      text: kept(
        event.text,
        keepsSensitive && event.kind === "ddl" ? event.text.replace(/(?<=\.) .*$/su, "") : event.text,
      ),
      sources: event.sources.map((source) => sourceOf(source, event.message)),
    })),
    series: keepsSensitive
      ? facts.series.map((one) => ({ ...one, of: one.of && withoutUser(one.of) }))
      : facts.series,
    keepsSensitive: false,
    dropped,
  };
}

/** Whether a text is kept on request only: the readers keep others of messages that they know. */
const isSensitive = (text: string, message: number | null): boolean =>
  factsOfMessage(message, text, null)?.isSensitive ?? (factsOfClusterInfo(text, "") ?? null) === null;

/** Names of parts of a file stay, and the number of an error. Lines of event files have names of events only. */
function lineWithoutText(line: string, { file }: FileFacts): string {
  if (file.kind.endsWith("Health") || file.kind === "clusterDiagnostics") return line;
  return /^(Error \d+): /u.exec(line)?.[1] ?? (NAMES_ONLY.test(line) ? line : DROPPED);
}
