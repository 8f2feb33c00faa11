/** Cuts the middle of a text so that its beginning and its end touch the ellipsis between them. */

interface Space {
  /** Width of the letters from an index to another, px. */
  readonly widthOf: (from: number, to: number) => number;
  /** px */
  readonly available: number;
  /** Letters of the end that stay as long as possible. */
  readonly kept: number;
  /** Width of the ellipsis, px. */
  readonly dots: number;
}

/** The longest `beginning…end` that fits; at least one letter of the beginning and one of the end. */
export function cutMiddle(text: string, { widthOf, available, kept, dots }: Space): string {
  const { length } = text;
  const room = available - dots;
  const first = widthOf(0, 1);
  let end = Math.min(kept, Math.floor(length / 2));
  while (end > 1 && first + widthOf(length - end, length) > room) end--;
  const left = room - widthOf(length - end, length);
  let begin = 1;
  while (begin < length - end - 1 && widthOf(0, begin + 1) <= left) begin++;
  return `${text.slice(0, begin)}…${text.slice(length - end)}`;
}
