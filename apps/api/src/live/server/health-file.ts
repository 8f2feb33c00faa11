/** Where AlwaysOn_health writes its events, by the server's own answer. */

export interface HealthFile {
  /** The file that is written now, with its folder. */
  readonly current: string;
  /** All files of the session, with a wildcard. */
  readonly all: string;
}

/** Number of the file and its start, before the extension: `_0_133456789012345678.xel`. */
const NUMBERS = /_\d+_\d+\.xel$/iu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};

/** The file in `target_data` of HEALTH_FILE; null where it names none. */
export function healthFileIn(targetData: unknown): HealthFile | null {
  const [, text] = /<File\s[^>]*\bname="([^"]+)"/u.exec(String(targetData)) ?? [];
  if (text === undefined) return null;
  const current = text.replaceAll(/&(?:amp|lt|gt|quot|apos);/gu, (entity) => ENTITIES[entity] ?? entity);
  return { current, all: current.replace(NUMBERS, "*.xel") };
}

/** Parameters of HEALTH_EVENTS for all events of a file. @param sinceMs by the server's clock, ms since 1970 */
export function fromBeginning({ current }: HealthFile, sinceMs: number): Record<string, string> {
  return { path: current, file: "", offset: "", since: timeText(sinceMs) };
}

/** The same for events after a place. */
export function fromPlace(
  { all }: HealthFile,
  { file, offset }: { readonly file: string; readonly offset: string },
  sinceMs: number,
): Record<string, string> {
  return { path: all, file, offset, since: timeText(sinceMs) };
}

/** UTC as the attribute `timestamp` of an event has it, without the Z. */
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1);
