/** A tag with how many of some captures have it. */
export interface TagCount {
  readonly tag: string;
  readonly captures: number;
}

/** Every tag of some captures, in alphabetical order. @param tags of each of them */
export function tagCounts(tags: readonly (readonly string[])[]): TagCount[] {
  const counts = new Map<string, number>();
  for (const tag of tags.flat()) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, captures]) => ({ tag, captures }))
    .toSorted((a, b) => (a.tag < b.tag ? -1 : 1));
}
