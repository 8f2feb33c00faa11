import { formatCount } from "../ui/words.ts";

/** "1 block", "1,079 blocks". */
export const countedWords = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
