/** Programs of others that some tests run: PostgreSQL, an S3 server, Caddy. */

/**
 * Whether tests are skipped because a program is missing. In CI they fail instead, so a green run there proves that
 * they ran.
 * @param programs paths, null for a missing program
 */
export function skipsWithout(...programs: readonly (string | null)[]): boolean {
  return programs.includes(null) && !process.env["CI"];
}

/** @throws Error with `how` to get the program, where it is missing */
export function expectProgram(program: string | null, how: string): string {
  if (program === null) throw new Error(`A program that this test needs is missing. ${how}`);
  return program;
}
