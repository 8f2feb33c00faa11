/** Names of servers, databases and the capture as somebody else's reader sees them. */
import type { Summary } from "@aglens/contract";

/** What each name becomes, the longest name first so that none is taken for a part of another. */
export function nameReplacements({
  replicas,
  databases,
  name,
}: Pick<Summary, "replicas" | "databases" | "name">): readonly (readonly [from: string, to: string])[] {
  const pairs = [
    ...replicas.map((replica, index) => [replica.name, `Replica ${index + 1}`] as const),
    ...databases.map((database, index) => [database.name, `Database ${index + 1}`] as const),
    [name, "Group 1"] as const,
  ];
  return pairs.filter(([from]) => from !== "").toSorted(([a], [b]) => b.length - a.length);
}

/** A text with each name replaced; the server replaces the names behind a link in the same way. */
export const withReplacedNames = (text: string, summary: Parameters<typeof nameReplacements>[0]): string =>
  nameReplacements(summary).reduce((words, [from, to]) => words.replaceAll(from, to), text);
