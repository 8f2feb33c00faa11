/** Paths that an assistant may have read: all that the user of the process can read, or those in some folders. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { filesIn } from "@aglens/ag-model/folders";
import { unreadableText } from "xel-parser/commands";
import { ToolError } from "./tool-error.ts";

/** Files and folders to read, and a sentence for each file in them that isn't read. */
export interface AllowedFiles {
  readonly paths: readonly string[];
  readonly refused: readonly string[];
}

export class AllowedPaths {
  readonly #folders: readonly string[];

  /** @param folders real paths; empty for all */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /**
   * Absolute paths of what is to be read. A relative path is one in the first of the folders.
   * @throws ToolError for a path outside of the folders, also by a link, and for a missing one
   */
  async filesOf(paths: readonly string[]): Promise<AllowedFiles> {
    const found: string[] = [];
    const refused: string[] = [];
    for (const given of paths) {
      const path = await this.#realPath(resolve(this.#folders[0] ?? process.cwd(), given), given);
      if (this.#folders.length === 0 || !(await stat(path)).isDirectory()) {
        found.push(path);
        continue;
      }
      const outside = new Set<string>();
      const { files, unreadable } = filesIn(path);
      for (const file of files) if (!(await this.isAllowed(file))) outside.add(file);
      // A link in the folder leads elsewhere: the folder's other files are read one by one.
      if (outside.size === 0) found.push(path);
      else {
        found.push(...files.filter((file) => !outside.has(file)));
        for (const { path: entry, error } of unreadable)
          refused.push(unreadableText(entry, error) ?? `Can't read ${entry}: ${(error as Error).message}`);
      }
      for (const file of outside)
        refused.push(`${file} is a link to a file outside of the allowed folders and was skipped.`);
    }
    return { paths: found, refused };
  }

  /** The path without links, for one that may be read. */
  async #realPath(path: string, given: string): Promise<string> {
    // Windows signs in to the server of a share when it looks up a path there.
    if (path.startsWith(NETWORK) && !this.#isInside(path)) throw this.#outside(given);
    // A path outside is refused in the same way whether it exists or not.
    const real = await realpath(path).catch((error: unknown) => {
      if (!this.#isInside(path)) throw this.#outside(given);
      throw new ToolError(unreadableText(given, error) ?? `Can't read ${given}: it isn't a path. Check it.`);
    });
    if (!this.#isInside(real)) throw this.#outside(given);
    return real;
  }

  /** Whether a file may be read. Reading a file that has disappeared reports that. */
  async isAllowed(file: string): Promise<boolean> {
    const real = await realpath(file).catch(() => null);
    return real === null || this.#isInside(real);
  }

  #isInside(path: string): boolean {
    return this.#folders.length === 0 || this.#folders.some((folder) => isIn(path, folder));
  }

  #outside(given: string): ToolError {
    const folders = this.#folders.join(", ");
    return new ToolError(
      `Can't read ${given}: it's outside of the folders that this server may read (${folders}). Choose a path in them, or start aglens mcp with its folder.`,
    );
  }
}

/** Beginning of a path of a share, or of a device, on Windows. */
const NETWORK = "\\\\";

function isIn(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return !isAbsolute(inside) && inside.split(/[\\/]/u)[0] !== "..";
}
