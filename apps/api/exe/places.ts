/** Folders of the single executable's program and data. */
import { posix, win32 } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of one user's AG Lens, where each platform has such folders. @param platform as `process.platform` */
export function ownFolder(platform: string, environment: Environment, home: string): string {
  if (platform === "win32")
    return win32.join(environment["LOCALAPPDATA"] || win32.join(home, "AppData", "Local"), "AG Lens");
  if (platform === "darwin") return posix.join(home, "Library", "Application Support", "AG Lens");
  return posix.join(environment["XDG_DATA_HOME"] || posix.join(home, ".local", "share"), "ag-lens");
}
