/** Exit codes of the commands. With 2 and 4 there is no result. */
export const EXIT = { complete: 0, damaged: 1, usage: 2, skipped: 3, nothing: 4, unexpected: 5 } as const;

/** The code of a command from those of its files, which it reads one by one. */
export function codeOfFiles(codes: readonly number[]): number {
  if (codes.every((code) => code === EXIT.nothing)) return EXIT.nothing;
  if (codes.includes(EXIT.damaged)) return EXIT.damaged;
  return codes.includes(EXIT.nothing) ? EXIT.skipped : EXIT.complete;
}

/** The same for the usage text of a program. */
export const EXIT_CODES_TEXT = `Exit codes:
  0  everything was read
  1  a file or zip is damaged, and the result is without what could not be read
  2  wrong usage, no result
  3  some files were skipped, each named in a sentence
  4  nothing usable, no result
  5  check alone: everything was read, and an expectation isn't met
`;
