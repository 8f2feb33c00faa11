/** Names of the files of one analysis. */

/**
 * Each file with a name that no other one has, so that a file of the model can be found by its name: the second "a.xel" is
 * "a.xel (2)".
 */
export function withUniqueNames<File extends { readonly name: string }>(
  files: readonly File[],
): { readonly file: File; readonly uniqueName: string }[] {
  const taken = new Set<string>();
  return files.map((file) => {
    let uniqueName = file.name;
    for (let count = 2; taken.has(uniqueName); count += 1) uniqueName = `${file.name} (${count})`;
    taken.add(uniqueName);
    return { file, uniqueName };
  });
}
