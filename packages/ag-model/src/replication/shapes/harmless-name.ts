/** Characters of the longest name that SQL Server has for anything (sysname). */
const SYSNAME_CHARACTERS = 128;

/**
 * A name from a file of others, as it may be shown and kept: at most as long as a sysname, on one line, and without characters
 * that turn text around or cannot be seen. What is cut ends in "…".
 */
export function harmlessName(text: string): string {
  const name = withoutHiddenCharacters(text.slice(0, 4 * SYSNAME_CHARACTERS)).trim();
  if (name.length <= SYSNAME_CHARACTERS) return name;
  // Half of a pair would be no character at all.
  return `${name.slice(0, SYSNAME_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** Text without control, format and direction characters, and on one line. */
export function withoutHiddenCharacters(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
}
