/** The isolated lanes with these added; without them where all of them were isolated. */
export function toggledLanes(isolated: readonly string[], keys: readonly string[]): readonly string[] {
  const rest = isolated.filter((key) => !keys.includes(key));
  return keys.every((key) => isolated.includes(key)) ? rest : [...rest, ...keys];
}
