/** Opens a page in the browser of the person who started the server. */
import { spawn } from "node:child_process";

/** The command that opens an address on a platform, as `process.platform` names it. */
export function browserCommand(platform: string, address: string): { command: string; args: string[] } {
  if (platform === "darwin") return { command: "open", args: [address] };
  // `start` takes a first text in quotes for the title of a window.
  if (platform === "win32") return { command: "cmd", args: ["/c", "start", '""', address] };
  return { command: "xdg-open", args: [address] };
}

/** Does nothing where there is no browser: the address is printed as well. */
export function openBrowser(address: string): void {
  const { command, args } = browserCommand(process.platform, address);
  const child = spawn(command, args, {
    detached: true,
    stdio: "ignore",
    // Quotes reach `cmd` as they are written.
    windowsVerbatimArguments: true,
  });
  child.on("error", () => undefined);
  child.unref();
}
