/** A temporary directory of the run's own, so that nothing of a test stays on the machine, also of one that failed or was ended. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** First part of the name of the run's own directory; six characters after it make it unique. */
export const OWN_TEMPORARY = "aglens-tests-";

/** Variables that `os.tmpdir` reads first: on POSIX, on Windows. */
const NAMES = ["TMPDIR", "TEMP"];

/** @returns a function that removes the directory */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), OWN_TEMPORARY));
  // PostgreSQL, which refuses to run as root, accesses it as another user.
  chmodSync(folder, 0o755);
  const before = NAMES.map((name) => process.env[name]);
  for (const name of NAMES) process.env[name] = folder;
  return () => {
    NAMES.forEach((name, index) => {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    });
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
