/** Words that begin as typed, and after them those that differ by a letter or two, the nearest first; at most three. */
export function nearestText(typed: string, known: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  const most = Math.min(Math.max(2, Math.floor(wanted.length / 3)), Math.ceil(wanted.length / 2));
  return known
    .map((word) => ({ word, apart: distanceOf(wanted, word.toLowerCase()) }))
    .filter(({ apart }) => apart <= most)
    .toSorted((a, b) => a.apart - b.apart)
    .slice(0, 3)
    .map(({ word }) => word);
}

/** 0 for a word that begins with the typed text, otherwise the number of letters to change, add or remove. */
function distanceOf(typed: string, word: string): number {
  if (word.startsWith(typed)) return 0;
  let row = Array.from({ length: word.length + 1 }, (_, i) => i);
  for (const [i, letter] of Array.from(typed).entries()) {
    const next = [i + 1];
    for (let j = 0; j < word.length; j++)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === word[j] ? 0 : 1)));
    row = next;
  }
  return row[word.length]!;
}
